"""Ways for ratings to be missing: each draws with the chances it says, and has the bias that it is there for."""

from __future__ import annotations

import numpy as np
import pytest
from tests.data.nature import nature, observed_with

from heldout.catalogue import make
from heldout.data.missingness import Missingness
from heldout.data.readers import Simulate
from heldout.errors import SpecError, UnknownNameError

ONE_BY_ONE = [
    "at_random",
    "by_value(slope=0.9)",
    "by_value(slope=0.5, popularity=1)",
    "by_popularity(counts=expected)",
    "mixture(first=at_random, second=by_value(slope=1), share=0.3)",
    "mixture(first=by_popularity, second=by_recommender(rounds=3, shown=10))",
]


WORLD = {"users": 150, "items": 60, "ratings": 1800}


@pytest.mark.parametrize("text", ONE_BY_ONE[:5])
def test_pairs_are_rated_as_often_as_their_propensities_say(text: str) -> None:
    """A pair with chance p is rated in 200 p ± 5 √(200 p (1 − p)) of 200 draws, or 1 more or less."""
    missing, draws = make("missingness", text), 200
    met = np.zeros((40, 30))
    for seed in range(draws):
        _, observed = observed_with(missing, seed)
        met[observed.user, observed.item] += 1
    chance = missing.chances(nature())
    assert 0 < chance.min() <= chance.max() <= 1
    assert (np.abs(met - draws * chance) <= 5 * np.sqrt(draws * chance * (1 - chance)) + 1).all()


@pytest.mark.parametrize("text", ONE_BY_ONE)
def test_the_world_hands_on_the_chances_and_about_the_number_of_ratings(text: str) -> None:
    missing: Missingness = make("missingness", text)
    world = Simulate(**WORLD, missing=missing).world()
    chance = world.propensity(np.arange(150))
    assert chance.shape == (150, 60) and chance.min() > 0
    spread = 5 * np.sqrt((chance * (1 - chance)).sum())
    assert abs(len(world.user) - chance.sum()) < spread
    assert abs(chance.sum() - 1800) < 180
    assert not world.inexact and len(set(zip(world.user.tolist(), world.item.tolist(), strict=True))) == len(world.user)


def test_exact_counts_are_those_of_the_law_and_expected_ones_are_on_average() -> None:
    exact = Simulate(**WORLD).world().interactions.item_counts
    assert np.array_equal(exact, Simulate(**WORLD, missing="by_popularity").world().interactions.item_counts)
    drawn = np.mean(
        [
            np.bincount(Simulate(**WORLD, missing="by_popularity(counts=expected)", seed=s).world().item, minlength=60).sum()
            for s in range(20)
        ]
    )
    assert drawn == pytest.approx(1800, rel=0.03)


def test_worlds_that_are_too_large_are_refused_before_anything_is_made() -> None:
    with pytest.raises(SpecError, match=r"missing=at_random holds the chance of each of 100,000 × 20,000 pairs, at most"):
        Simulate(users=100_000, items=20_000, ratings=200_000, factors=1, missing="at_random").world()


def test_worlds_do_not_depend_on_threads() -> None:
    from heldout import threads

    digests = set()
    for n in (1, 2):
        with threads.using(n):
            digests.add(Simulate(**WORLD, missing="by_recommender").world().interactions.digest)
    assert len(digests) == 1


def test_text_forms_are_read_back() -> None:
    text = "simulate(users=150, items=60, ratings=1800, missing=mixture(first=by_value(slope=1), share=0.3))"
    assert str(make("reader", text)) == text
    with pytest.raises(UnknownNameError, match="by_valu"):
        make("reader", "simulate(missing=by_valu)")
    with pytest.raises(SpecError, match="'explore' must be above 0, found 0"):
        make("missingness", "by_recommender(explore=0)")
