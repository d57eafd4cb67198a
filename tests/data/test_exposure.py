"""How many ratings users and items have, and the chances with which they were drawn."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import World
from heldout.data.exposure import meetings
from heldout.data.readers import Simulate
from heldout.data.world import popularity_law

SMALL = {"users": 300, "items": 200, "ratings": 6000}


def test_counts_follow_the_law() -> None:
    counts = popularity_law(1000, 400, 20_000, alpha=1.4, c1=5.0, c2=10.0)
    assert counts.sum() == 20_000
    # counts less c1 are proportional to (c2 + k)^(−α), but for rounding
    beta = (counts - 5) / (10.0 + np.arange(1, 401)) ** -1.4
    assert np.abs((counts - 5) - np.median(beta[:100]) * (10.0 + np.arange(1, 401)) ** -1.4).max() < 2
    found = Simulate(**SMALL, alpha=1.4, c1=5, c2=10).world().interactions.item_counts
    assert np.array_equal(np.sort(found)[::-1], popularity_law(300, 200, 6000, 1.4, 5.0, 10.0))


def test_small_cases_by_hand() -> None:
    assert popularity_law(3, 2, 4, alpha=0.0, c1=0.0, c2=0.0).tolist() == [2, 2]
    assert popularity_law(3, 2, 4, alpha=9.0, c1=0.0, c2=0.0).tolist() == [3, 1]
    assert popularity_law(2, 3, 6, alpha=1.0, c1=0.0, c2=0.0).tolist() == [2, 2, 2]


def test_users_meet_what_they_like() -> None:
    world = Simulate(**SMALL).world()
    assert world.interactions.value.mean() > world.truth(np.arange(300)).mean() + 0.3


def test_propensities_are_those_of_the_draw() -> None:
    world = Simulate(users=60, items=40, ratings=700).world()
    chance = world.propensity(np.arange(60))
    assert chance.shape == (60, 40) and 0 < chance.min() <= chance.max() <= 1
    assert np.array_equal(world.propensity(np.array([7, 3])), chance[[7, 3]])
    counts = world.interactions.item_counts
    assert chance.sum(axis=0) == pytest.approx(counts)  # each item draws exactly its number of users
    met = np.zeros((60, 40))
    draws = 300
    taste, genre = world.taste, world.genre
    activity = world.observation.base * _chances(world)
    for seed in range(draws):
        found = meetings(seed, taste, genre, activity, np.asarray(counts), 1.2)
        met[found.user, found.item] += 1
    # a pair met with chance p is met in 300 p ± 5 √(300 p (1 − p)) of the draws; in 1 of 100 a user whom no item drew
    # has the place of another
    spread = 5 * np.sqrt(draws * chance * (1 - chance)) + draws / 100
    assert (np.abs(met - draws * chance) <= spread).all()


def _chances(world: World) -> np.ndarray:
    """What activity was divided by: Σ over items of count × exp(pull × affinity)."""
    return (np.exp(1.2 * world.taste @ world.genre.T) * world.interactions.item_counts).sum(axis=1)
