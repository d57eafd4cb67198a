"""Samples of a test set: which ratings are kept in which sample, a bit for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heldout import rng
from heldout.tables.arrays import Int32, Int64

MOST = 64
"""Samples that fit into one word."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RatingSamples:
    """Some samples of the test ratings that belong together, such as 50 of one size."""

    words: NDArray[np.uint64]
    """For each test rating, the samples that keep it."""
    count: int

    def kept(self, sample: int) -> NDArray[np.bool_]:
        """The ratings that one sample keeps."""
        return np.asarray((self.words >> np.uint64(sample)) & np.uint64(1) == 1)


def random_samples(ratings: int, shares: Sequence[float], count: int, *, seed: int) -> list[RatingSamples]:
    """For each share, `count` samples of that share of the ratings, without replacement.

    Sample k of a smaller share is part of sample k of a larger one: the curve over shares then shows what leaving ratings
    out does, and less of the luck of each draw.
    """
    from heldout.kernels.sampled_ratings import keep_rows

    kept = np.round(np.asarray(shares) * ratings).astype(np.int64)
    words = np.zeros((len(shares), ratings), np.uint64)
    for sample in range(count):
        order = rng.stream(seed, "test ratings left out", sample).permutation(ratings)
        keep_rows(order, kept, sample, words)
    return [RatingSamples(words=row, count=count) for row in words]


def least_popular(popularity: Int64, item: Int32, shares: Sequence[float]) -> RatingSamples:
    """One sample for each share: the ratings of that share of the least popular items.

    `popularity` counts each item's ratings in the whole data set, `item` is the item of each test rating. Of equally
    popular items those with the higher number count as the more popular.
    """
    order = np.argsort(popularity, kind="stable")
    order = order[popularity[order] > 0]
    place = np.full(len(popularity), len(order), np.int64)
    place[order] = np.arange(len(order))
    words = np.zeros(len(item), np.uint64)
    for sample, share in enumerate(shares):
        words |= (place[item] < round(share * len(order))).astype(np.uint64) << np.uint64(sample)
    return RatingSamples(words=words, count=len(shares))
