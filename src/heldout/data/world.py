"""A simulated world: users with tastes, items with genres, whom they meet, and what each would truly say of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from heldout import rng
from heldout.data.missingness import Observation
from heldout.data.opinions import Opinions, draws_of_pairs
from heldout.errors import SpecError
from heldout.tables import Interactions, Log
from heldout.tables.arrays import Float64, Int32, Int64, Ints, frozen
from heldout.tables.display import Displayed, headline

MOVIELENS_PRIOR = (0.0562, 0.1075, 0.2611, 0.3489, 0.2263)
"""Shares of the ratings 1 to 5 in MovieLens 1M."""
MOST_RATINGS = 2_000_000
"""Complete ratings of one fold; if there would be more, so many users are drawn."""
_START, _SPAN = 946_684_800, 3 * 365 * 86_400


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class World(Displayed):
    """The complete truth behind simulated ratings; user and item codes are ids − 1."""

    opinions: Opinions
    cuts: Float64
    """Opinions at which the rating goes up by one."""
    user: Int32
    item: Int32
    time: Int64
    observation: Observation
    made_by: str
    """The text form that simulates it."""
    inexact: str = ""
    """Where propensities are not exactly the chances of the draw, in words; empty where they are."""

    def _headline(self) -> str:
        """What simulates it, and the counts of its ratings."""
        return f"{self.made_by}: {headline(self.interactions)}"

    @property
    def taste(self) -> Float64:
        """Users × genres."""
        return self.opinions.taste

    @property
    def genre(self) -> Float64:
        """Items × genres, rows of length 1."""
        return self.opinions.genre

    @property
    def n_users(self) -> int:
        """Users of the world; where pairs are drawn one by one, some may have no rating."""
        return len(self.taste)

    @property
    def n_items(self) -> int:
        """Items of the world; where pairs are drawn one by one, some may have no rating."""
        return len(self.genre)

    def truth(self, users: Ints) -> Float64:
        """What these users would rate every item, 1 to the number of levels: (users × items), rated or not."""
        return self.opinions.ratings(users, self.cuts)

    def propensity(self, users: Ints) -> Float64:
        """How likely these users were to rate every item: (users × items), what inverse-propensity estimates need.

        Exact for the draw, unless `inexact` says otherwise; under by_popularity with exact counts the few users whom no item
        drew have a rating in another's place.
        """
        return self.observation.propensity(np.asarray(users, dtype=np.int64))

    def outside(self, train: Interactions, users: Ints) -> Interactions:
        """What these users, by their codes in `train`, would say of every item that they have not rated there."""
        place = np.full(train.n_users, -1)
        place[users] = np.arange(len(users))
        rows = place[train.user] >= 0
        rated = np.zeros((len(users), train.n_items), np.bool_)
        rated[place[train.user[rows]], train.item[rows]] = True
        user, item = np.nonzero(~rated)
        truth = self.truth(codes_of(train.users.decode(users)))[:, codes_of(train.items.decode(np.arange(train.n_items)))]
        return Interactions.build(train.users, train.items, np.asarray(users)[user], item, truth[user, item])

    @cached_property
    def log(self) -> Log:
        """The observed ratings, in the order of time."""
        opinion = self.opinions.of_pairs(self.user, self.item)
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


def codes_of(ids: object) -> Int64:
    """Codes of a simulated world from ids, which count from 1."""
    return np.asarray(ids, dtype=np.int64) - 1


def popularity_law(users: int, items: int, ratings: int, alpha: float, c1: float, c2: float) -> Int64:
    """Ratings of the k-th most popular item: c1 + β (c2 + k)^(−α), β such that they sum to `ratings`.

    No item has fewer than 1 or more than `users`; whole numbers by largest remainder.
    """
    if not max(users, items) <= ratings <= users * items:
        raise SpecError(
            where="simulate: 'ratings'",
            found=ratings,
            expected=f"{max(users, items):,} to {users * items:,} for {users:,} users and {items:,} items",
        )
    if c1 * items > ratings:
        expected = f"at most {ratings / items:g}, since {items:,} items have {ratings:,} ratings"
        raise SpecError(where="simulate: 'c1'", found=c1, expected=expected)
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


def times(seed: int, user: Ints, item: Ints, n_users: int, rounds: Int32 | None = None) -> Int64:
    """Seconds within three years from 2000 on: each user begins at some time and rates less and less often.

    Where ratings are made in rounds, each round is a part of the three years, and times within it are uniform.
    """
    drawn = draws_of_pairs(rng.key(seed, "simulate time"), user, item)
    if rounds is not None:
        share = (rounds + drawn) / (rounds.max(initial=0) + 1)
        return np.asarray(_START + _SPAN * share, dtype=np.int64)
    begin = rng.uniform(rng.key(seed, "simulate begin"), np.arange(n_users))[user] * 0.9
    return (_START + _SPAN * (begin + (1 - begin) * drawn**3)).astype(np.int64)


def complete_ratings(world: World, train: Interactions, users: Int32, *, seed: int) -> tuple[Int32, Interactions]:
    """What users would say of every item outside `train`: all of these users, or a random sample that is small enough."""
    most = max(1, MOST_RATINGS // train.n_items)
    if len(users) > most:
        drawn = rng.stream(seed, "users of the complete truth").choice(len(users), most, replace=False)
        users = users[np.sort(drawn)]
    return users, world.outside(train, users)
