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


def random_samples(
    sizes: Sequence[int] | Int64, shares: Sequence[float], numbers: range, *, seed: int, fold: int = 0
) -> NestedSamples:
    """The samples of these numbers, at most 64, of each share of the ratings of a fold, without replacement.

    `sizes` counts the ratings of each group, in their order: one group is the whole test set, and with a group for each
    user a sample keeps that share of every user's ratings, rounded half to even. Samples of all shares are nested: the
    curve over shares then shows what leaving ratings out does, and less of the luck of each draw.
    """
    from heldout.kernels.sampled_ratings import keep_levels

    sizes = np.asarray(sizes, np.int64)
    ratings, group = int(sizes.sum()), np.repeat(np.arange(len(sizes)), sizes)
    descending = np.argsort(-np.asarray(shares), kind="stable")
    kept = np.round(sizes[:, None] * np.asarray(shares)[descending]).astype(np.int64)
    levels = np.empty((len(numbers), ratings), np.uint8 if len(shares) < 256 else np.uint16)
    for row, sample in zip(levels, numbers, strict=True):
        order = rng.stream(seed, "test ratings left out", fold, sample).permutation(ratings)
        keep_levels(order, group, kept, row)
    return NestedSamples(levels=levels, places=np.argsort(descending))


def least_popular(popularity: Int64, item: Int32, shares: Sequence[float], *, higher_first: bool = False) -> RatingSamples:
    """One sample for each share: the ratings of that share of the least popular items.

    `popularity` counts each item's ratings, `item` is the item of each test rating. Of equally popular items the higher
    number counts as the more popular, with `higher_first` as the less popular. Items with a count of 0 are not among
    those that a share is taken of, and their ratings stay.
    """
    numbers = np.arange(len(popularity))
    order = np.lexsort((-numbers if higher_first else numbers, popularity))
    order = order[popularity[order] > 0]
    place = np.full(len(popularity), -1, np.int64)
    place[order] = np.arange(len(order))
    words = np.zeros(len(item), np.uint64)
    for sample, share in enumerate(shares):
        words |= (place[item] < round(share * len(order))).astype(np.uint64) << np.uint64(sample)
    return RatingSamples(words=words, count=len(shares))
