"""Ratings missing by popularity and taste."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cached_property
from math import gcd, log
from typing import Literal

import numpy as np

from heldout import rng, threads
from heldout.catalogue import param
from heldout.data.missingness import Missingness, Nature, Observed
from heldout.tables.arrays import Float32, Float64, Int32, Int64, Ints, frozen


class ByPopularity(Missingness):
    """Popular items are rated more, and users rate what meets their taste.

    Assumes: popularity, activity and pull are those of `simulate`. With `counts=exact` each item has exactly its number of
    ratings: the propensities are exact for the draw as a whole, but given one part of the ratings, such as a training set,
    those of the rest are not, since the more of an item's ratings are in it, the fewer are left. With `counts=expected`
    every pair is drawn by itself, and propensities are exact given any part. Shares of levels are those of observed ratings.

    Example: pull = 0: an item with twice the ratings is twice as likely to be rated by any user.
    """

    key = "by_popularity"
    prior_of = "observed"
    formula = "P(u rates i) = min(1, λ_i a_u exp(pull × taste · genre)),  Σ_u P = |R(i)|"
    references = ("bellogin2017", "madow1949")

    counts: Literal["exact", "expected"] = param("exact", "whether an item has just its number of ratings, or on average")

    def check_size(self, users: int, items: int) -> None:
        """Exact counts are drawn item by item, whatever their number."""
        if self.counts == "expected":
            super().check_size(users, items)

    def chances(self, nature: Nature) -> Float64:
        return self._meetings(nature).observation.propensity(np.arange(nature.shape[0]))

    def observe(self, nature: Nature) -> Observed:
        return self._meetings(nature) if self.counts == "exact" else super().observe(nature)

    def _meetings(self, nature: Nature) -> Observed:
        of = nature.opinions
        met = meetings(of.seed, of.taste, of.genre, nature.activity, nature.counts, nature.pull)
        return Observed(user=met.user, item=met.item, observation=met.observation)


_ITEMS, _USERS = 64, 1024


@dataclass(frozen=True, eq=False)
class PopularityChances:
    """What decides whom an item meets: P(u rates i) = min(1, λ_i × base_u × exp(pull × affinity))."""

    taste: Float32
    """Genres × users, times pull ÷ log 2."""
    genre: Float32
    base: Float64
    rates: Float64
    """λ of every item."""

    def propensity(self, users: Ints) -> Float64:
        """How likely each of these users was to rate each item: users × items."""
        from heldout.kernels.exposure import pulls

        chosen = np.ascontiguousarray(self.taste[:, users])
        n = chosen.shape[1]
        bits, pull = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.float32)
        out = np.empty((n, len(self.genre)))
        for item, rate in enumerate(self.rates):
            pulls(chosen, self.genre[item], 0, n, bits, bits.view(np.float32), pull)
            out[:, item] = np.minimum(1.0, rate * (self.base[users] * pull))
        return out


@dataclass(frozen=True, eq=False)
class Meetings:
    """Who rates what, by item, then user."""

    user: Int32
    item: Int32
    observation: PopularityChances

    @cached_property
    def n(self) -> int:
        """How many there are."""
        return len(self.user)


def meetings(seed: int, taste: Float64, genre: Float64, activity: Float64, counts: Int64, pull: float) -> Meetings:
    """Each item draws its number of users without replacement, by activity × exp(pull × affinity).

    The exponential is divided by its mean over the user's chances, so that how much a user rates is activity alone. A
    user whom no item drew takes the place of the busiest user in some item, so that item counts stay as they are.
    """
    from heldout.kernels.exposure import add_chances, draw_items

    n_users, n_items = len(taste), len(genre)
    scaled = np.ascontiguousarray(taste.T * (pull / log(2)), dtype=np.float32)
    genres = np.ascontiguousarray(genre, dtype=np.float32)
    chances = np.empty(n_users)
    many = counts.astype(np.float64)
    blocks = [(k, min(k + _USERS, n_users)) for k in range(0, n_users, _USERS)]

    def count_chances(block: tuple[int, int]) -> None:
        bits = np.empty(_USERS, dtype=np.int32)
        add_chances(scaled, genres, many, *block, bits, bits.view(np.float32), chances)

    list(threads.run_all(count_chances, blocks))
    base = activity / chances
    starts = np.concatenate([[0], np.cumsum(counts)])
    key = rng.key(seed, "simulate meeting")
    items = np.arange(n_items)
    teeth = rng.uniform(key, items)
    user, rates = np.empty(int(starts[-1]), dtype=np.int32), np.empty(n_items)
    strides = _strides(key, n_users, n_items)

    def draw(block: tuple[int, int]) -> None:
        bits = np.empty(n_users, dtype=np.int32)
        draw_items(scaled, base, genres, counts, starts, strides, teeth, bits, bits.view(np.float32), *block, user, rates)

    list(threads.run_all(draw, [(k, min(k + _ITEMS, n_items)) for k in range(0, n_items, _ITEMS)]))
    item = np.repeat(items.astype(np.int32), counts)
    _seat_absent(user, n_users)
    observed = PopularityChances(
        frozen(scaled, np.float32), frozen(genres, np.float32), frozen(base, np.float64), frozen(rates, np.float64)
    )
    return Meetings(user, item, observed)


def _strides(key: int, n_users: int, n_items: int) -> Int64:
    """For every item a stride that visits all users: one without a common divisor with their number."""
    drawn = 1 + np.floor(rng.uniform(key + 1 & (2**64 - 1), np.arange(n_items)) * (n_users - 1)).astype(np.int64)
    drawn = np.minimum(drawn, max(1, n_users - 1))
    for k in np.flatnonzero(np.gcd(drawn, n_users) > 1):
        while gcd(int(drawn[k]), n_users) > 1:
            drawn[k] = drawn[k] % (n_users - 1) + 1
    return drawn


def _seat_absent(user: Int32, n_users: int) -> None:
    """Give every user without a meeting one of the busiest user's."""
    rated = np.bincount(user, minlength=n_users)
    absent = np.flatnonzero(rated == 0)
    if len(absent) == 0:
        return
    rows = np.argsort(user, kind="stable")
    ends = np.cumsum(rated)
    busiest = [(-int(n), int(u)) for u, n in enumerate(rated) if n > 1]
    heapq.heapify(busiest)
    for newcomer in absent:
        n, u = busiest[0]
        ends[u] -= 1
        user[rows[ends[u]]] = newcomer
        heapq.heapreplace(busiest, (n + 1, u))
