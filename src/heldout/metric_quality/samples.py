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


@dataclass(frozen=True, eq=False, kw_only=True)
class NestedSamples:
    """Random samples of several shares: sample k of a smaller share is part of sample k of a larger one."""

    levels: NDArray[np.uint8] | NDArray[np.uint16]
    """Samples × ratings: how many of the shares, from the largest down, keep a rating."""
    places: Int64
    """Of each share, its place from the largest down."""

    def of_share(self, share: int) -> RatingSamples:
        """The samples of one share, by its number."""
        from heldout.kernels.sampled_ratings import add_bit

        words = np.zeros(self.levels.shape[1], np.uint64)
        for sample, levels in enumerate(self.levels):
            add_bit(levels, int(self.places[share]), sample, words)
        return RatingSamples(words=words, count=len(self.levels))


def random_samples(ratings: int, shares: Sequence[float], numbers: range, *, seed: int, fold: int = 0) -> NestedSamples:
    """The samples of these numbers, at most 64, of each share of the ratings of a fold, without replacement.

    Samples of all shares are nested: the curve over shares then shows what leaving ratings out does, and less of the luck
    of each draw.
    """
    from heldout.kernels.sampled_ratings import keep_levels

    kept = np.round(np.asarray(shares) * ratings).astype(np.int64)
    descending = np.argsort(-kept, kind="stable")
    levels = np.empty((len(numbers), ratings), np.uint8 if len(shares) < 256 else np.uint16)
    for row, sample in zip(levels, numbers, strict=True):
        order = rng.stream(seed, "test ratings left out", fold, sample).permutation(ratings)
        keep_levels(order, kept[descending], row)
    return NestedSamples(levels=levels, places=np.argsort(descending))


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
