"""Each way for ratings to be missing."""

from __future__ import annotations

import numpy as np
import pytest
from tests.data.nature import nature, observed_with

from heldout.catalogue import make
from heldout.data.readers.simulate import Simulate
from heldout.errors import SpecError, UnknownNameError

WORLD = {"users": 150, "items": 60, "ratings": 1800}


def test_at_random_is_unbiased_and_by_value_is_not() -> None:
    everyone = np.arange(300)
    gaps = {"at_random": (-0.08, 0.08), "by_value(slope=0.7)": (0.4, 2.0), "by_value(slope=-0.7)": (-2.0, -0.4)}
    for text, (low, high) in gaps.items():
        world = Simulate(users=300, items=100, ratings=6000, missing=text).world()
        assert low < world.interactions.value.mean() - world.truth(everyone).mean() < high, text


def test_by_value_doubles_the_chance_at_each_step() -> None:
    world = nature()
    chance, grades = make("missingness", f"by_value(slope={np.log(2)})").chances(world), world.grades
    for low in range(1, 5):
        assert chance[grades == low + 1] == pytest.approx(2 * chance[grades == low][0])
    assert chance.sum() == pytest.approx(300)


def test_chances_are_at_most_one_and_still_sum_to_the_ratings() -> None:
    chance = make("missingness", "by_value(slope=3)").chances(nature(ratings=600))
    assert chance.max() == 1 and (chance == 1).sum() > 10
    assert chance.sum() == pytest.approx(600)


def test_a_mixture_is_of_its_parts() -> None:
    world = nature()
    first, second = make("missingness", "at_random"), make("missingness", "by_value(slope=1)")
    mixed = make("missingness", "mixture(first=at_random, second=by_value(slope=1), share=0.25)")
    assert mixed.chances(world) == pytest.approx(0.25 * first.chances(world) + 0.75 * second.chances(world))


def test_feedback_makes_popular_items_more_popular() -> None:
    """Completely at random and with feedback, the same number of ratings: the second is far more skewed."""
    from heldout.data.profile import gini

    size = {"users": 300, "items": 120, "ratings": 7200}
    random, shown = (
        Simulate(**size, missing=text).world().interactions.item_counts for text in ("at_random", "by_recommender(shown=20)")
    )
    assert gini(random) < 0.12 and gini(shown) > 0.35


def test_one_round_of_feedback_is_completely_at_random() -> None:
    world = nature()
    one, random = make("missingness", "by_recommender(rounds=1)"), make("missingness", "at_random")
    assert one.chances(world) == pytest.approx(random.chances(world))


def test_rounds_follow_one_another_in_time_and_chances_add_up() -> None:
    missing = make("missingness", "by_recommender(rounds=3, shown=10)")
    _, observed = observed_with(missing, 5)
    assert observed.round is not None and set(observed.round) == {0, 1, 2}
    expected = observed.observation.propensity(np.arange(40)).sum()
    assert abs(len(observed.user) - expected) < 0.15 * expected
    whole = Simulate(**WORLD, missing=missing).world()
    assert whole.inexact == "a pair's own rating changes what later rounds show"
    assert (np.diff(whole.time) >= 0).all()


def test_a_pair_rated_before_has_the_chance_that_it_would_have_had_otherwise() -> None:
    """As if everything were counted again without its rating, pair by pair."""
    missing, world = make("missingness", "by_recommender(rounds=3, shown=10)"), nature()
    draws = np.random.default_rng(2)
    rated, liked = draws.random(world.shape) < 0.3, draws.random(world.shape) < 0.5
    chance = missing._shown(world, rated, liked, first=False)
    pairs = np.argwhere(rated)
    for user, item in pairs[draws.choice(len(pairs), 60, replace=False)]:
        without = rated.copy()
        without[user, item] = False
        assert chance[user, item] == pytest.approx(missing._shown(world, without, liked, first=False)[user, item], rel=1e-12)


def test_text_forms_are_read_back() -> None:
    text = "simulate(users=150, items=60, ratings=1800, missing=mixture(first=by_value(slope=1), share=0.3))"
    assert str(make("reader", text)) == text
    with pytest.raises(UnknownNameError, match="by_valu"):
        make("reader", "simulate(missing=by_valu)")
    with pytest.raises(SpecError, match="'explore' must be above 0, found 0"):
        make("missingness", "by_recommender(explore=0)")
