"""A simulated world: users with tastes, items with genres, whom they meet, and what each would truly say of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from heldout import rng
from heldout.data.exposure import Observation
from heldout.errors import SpecError
from heldout.tables import Interactions, Log
from heldout.tables.arrays import Float64, Int32, Int64, Ints, frozen

MOVIELENS_PRIOR = (0.0562, 0.1075, 0.2611, 0.3489, 0.2263)
"""Shares of the ratings 1 to 5 in MovieLens 1M."""
_START, _SPAN = 946_684_800, 3 * 365 * 86_400


@dataclass(frozen=True, eq=False, kw_only=True)
class World:
    """The complete truth behind simulated ratings; user and item codes are ids − 1."""

    seed: int
    taste: Float64
    """Users × genres."""
    genre: Float64
    """Items × genres, rows of length 1."""
    appeal: Float64
    """What an item's quality adds to every user's opinion of it."""
    noise: float
    cuts: Float64
    """Opinions at which the rating goes up by one."""
    user: Int32
    item: Int32
    time: Int64
    observation: Observation

    @property
    def n_users(self) -> int:
        """All have at least one rating."""
        return len(self.taste)

    @property
    def n_items(self) -> int:
        """All have at least one rating."""
        return len(self.genre)

    def truth(self, users: Ints) -> Float64:
        """What these users would rate every item, 1 to the number of levels: (users × items), rated or not."""
        codes = np.asarray(users, dtype=np.int64)
        opinion = affinity(self.taste, self.genre, codes[:, None], np.arange(self.n_items)[None, :])
        opinion += self.appeal + self._noise(codes[:, None], np.arange(self.n_items)[None, :])
        return (1 + np.searchsorted(self.cuts, opinion, side="right")).astype(np.float64)

    def propensity(self, users: Ints) -> Float64:
        """How likely these users were to rate every item: (users × items), what inverse-propensity estimates need.

        Exact for the draw; the few users whom no item drew have a rating in another's place.
        """
        return self.observation.propensity(np.asarray(users, dtype=np.int64))

    @cached_property
    def log(self) -> Log:
        """The observed ratings, in the order of time."""
        opinion = affinity(self.taste, self.genre, self.user, self.item)
        opinion += self.appeal[self.item] + self._noise(self.user, self.item)
        value = 1.0 + np.searchsorted(self.cuts, opinion, side="right")
        return Log(
            user_id=pl.Series("user", self.user.astype(np.int64) + 1),
            item_id=pl.Series("item", self.item.astype(np.int64) + 1),
            value=frozen(value, np.float64),
            time=self.time,
            source="simulate",
        )

    @cached_property
    def interactions(self) -> Interactions:
        """The observed ratings."""
        return self.log.interactions()

    def _noise(self, user: Ints, item: Ints) -> Float64:
        return opinion_noise(self.seed, self.noise, user, item)


def affinity(taste: Float64, genre: Float64, user: Ints, item: Ints) -> Float64:
    """How much users' tastes meet items' genres; summed genre by genre, since BLAS sums depend on the block."""
    total = np.zeros(np.broadcast_shapes(user.shape, item.shape))
    for k in range(taste.shape[1]):
        total += taste[user, k] * genre[item, k]
    return total


def opinion_noise(seed: int, scale: float, user: Ints, item: Ints) -> Float64:
    """Logistic noise of standard deviation `scale` for pairs, the same whenever it is asked for."""
    u = draws_of_pairs(rng.key(seed, "simulate opinion"), user, item)
    np.clip(u, 1e-12, 1 - 1e-12, out=u)
    u /= 1 - u
    np.log(u, out=u)
    u *= scale * np.sqrt(3) / np.pi
    return u


def draws_of_pairs(key: int, user: Ints, item: Ints) -> Float64:
    """What `rng.uniform` gives for these pairs, without its intermediate arrays."""
    from heldout.kernels.grouping import pair_draws

    shape = np.broadcast_shapes(user.shape, item.shape)
    out = np.empty(shape)
    first, second = (np.ascontiguousarray(np.broadcast_to(x, shape)).ravel() for x in (user, item))
    pair_draws(np.uint64(key), first, second, out.ravel())
    return out


def popularity_law(users: int, items: int, ratings: int, alpha: float, c1: float, c2: float) -> Int64:
    """Ratings of the k-th most popular item: c1 + β (c2 + k)^(−α), β such that they sum to `ratings`.

    No item has fewer than 1 or more than `users`; whole numbers by largest remainder.
    """
    if not max(users, items) <= ratings <= users * items:
        raise SpecError(
            f"{ratings:,} ratings of {users:,} users and {items:,} items cannot be simulated",
            hint=f"give between {max(users, items):,} and {users * items:,}",
        )
    if c1 * items > ratings:
        raise SpecError(f"c1 = {c1:g} for each of {items:,} items is more than {ratings:,} ratings", hint="lower c1")
    shape = (c2 + np.arange(1, items + 1)) ** -alpha

    def law(beta: float) -> Float64:
        return np.clip(c1 + beta * shape, 1, users)

    low, high = 0.0, users / float(shape[-1])
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if law(middle).sum() < ratings else (low, middle)
    exact = law(high)
    counts = np.floor(exact + 1e-9).astype(np.int64)
    open_ = np.flatnonzero(counts < users)
    by_remainder = open_[np.argsort(-(exact - counts)[open_], kind="stable")]
    counts[by_remainder[: ratings - counts.sum()]] += 1
    return np.sort(counts)[::-1]


def times(seed: int, user: Ints, item: Ints, n_users: int) -> Int64:
    """Seconds within three years from 2000 on: each user begins at some time and rates less and less often."""
    begin = rng.uniform(rng.key(seed, "simulate begin"), np.arange(n_users))[user] * 0.9
    later = draws_of_pairs(rng.key(seed, "simulate time"), user, item) ** 3
    return (_START + _SPAN * (begin + (1 - begin) * later)).astype(np.int64)
