"""Ratings missing by what a recommender showed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.data.nature import nature, observed_with

from heldout.catalogue import make
from heldout.data.readers import Simulate

WORLD = {"users": 150, "items": 60, "ratings": 1800}


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
