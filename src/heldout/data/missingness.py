"""Why ratings are missing from a simulated world: what is there before anybody rates, and who then rates what."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, Protocol

import numpy as np

from heldout import rng
from heldout.catalogue import Component
from heldout.data.opinions import Opinions, draws_of_pairs
from heldout.errors import SpecError
from heldout.tables.arrays import Float64, Int32, Int64, Ints, frozen

MOST_PAIRS = 50_000_000
"""Pairs of users and items whose chances of being rated may be held at once."""


class Observation(Protocol):
    """How likely each rating was to be observed."""

    def propensity(self, users: Ints) -> Float64:
        """How likely each of these users was to rate each item: users × items."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Nature:
    """A world before anybody rates: users, items, what users would say, and how popular items are meant to be."""

    opinions: Opinions
    cuts: Float64 | None
    """Opinions at which the rating goes up by one; None where they depend on who rates what."""
    activity: Float64
    """How much each user rates, compared with others."""
    counts: Int64
    """The ratings of each item by the law of popularity."""
    pull: float
    """How much taste decides what a user rates."""
    ratings: int
    """How many ratings are wanted."""

    @property
    def shape(self) -> tuple[int, int]:
        """Users and items."""
        return len(self.activity), len(self.counts)

    @cached_property
    def grades(self) -> Float64:
        """What every user would rate every item: users × items."""
        if self.cuts is None:
            raise SpecError("the cuts of ratings depend on the observed ones, which are not known yet")
        return self.opinions.ratings(np.arange(self.shape[0]), self.cuts)


@dataclass(frozen=True, eq=False, kw_only=True)
class Observed:
    """Who rated what, and how likely it was."""

    user: Int32
    item: Int32
    observation: Observation
    round: Int32 | None = None
    """In which round each rating was made, counted from 0, where there are several."""


@dataclass(frozen=True, eq=False)
class PairChances:
    """The chance of each pair of user and item, held as a matrix."""

    chance: Float64

    def propensity(self, users: Ints) -> Float64:
        """How likely each of these users was to rate each item: users × items."""
        return self.chance[users]


class Missingness(Component, kind="missingness"):
    """A way for ratings to be missing: how likely each user is to rate each item, whatever the others do."""

    prior_of: ClassVar[Literal["observed", "complete"]] = "complete"
    """Which ratings have the shares of levels that a world names: those observed, or all."""
    inexact: ClassVar[str] = ""
    """Where propensities are not exactly the chances of the draw, in words; empty where they are."""

    @abstractmethod
    def chances(self, nature: Nature) -> Float64:
        """How likely each user is to rate each item: users × items, above 0 and at most 1."""

    def check_size(self, users: int, items: int) -> None:
        """SpecError where the chances of all pairs would not fit into memory."""
        if users * items > MOST_PAIRS:
            raise SpecError(
                f"a chance for each of {users:,} × {items:,} pairs does not fit into memory",
                where=f"missing={self}",
                found=users * items,
                expected=f"at most {MOST_PAIRS:,} pairs",
                hint="simulate fewer users or items; missing=by_popularity has no such limit",
            )

    def observe(self, nature: Nature) -> Observed:
        """Draw each pair by itself with its chance."""
        chance = frozen(self.chances(nature), np.float64)
        user, item = np.nonzero(pair_draws(nature, "simulate observation") < chance)
        return Observed(user=frozen(user, np.int32), item=frozen(item, np.int32), observation=PairChances(chance))


def pair_draws(nature: Nature, purpose: str) -> Float64:
    """A uniform number for each pair of user and item."""
    users, items = nature.shape
    key = rng.key(nature.opinions.seed, purpose)
    return draws_of_pairs(key, np.arange(users)[:, None], np.arange(items)[None, :])


def scaled_chances(weight: Float64, ratings: int) -> Float64:
    """min(1, λ × weight) with λ such that they sum to the number of ratings."""
    from heldout.kernels.exposure import scale_to_sum

    rate = scale_to_sum(weight.ravel(), ratings)
    return np.asarray(np.minimum(1.0, rate * weight))
