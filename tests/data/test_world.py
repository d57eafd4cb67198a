"""Worlds of which everything is known."""

from __future__ import annotations

import numpy as np

from heldout.data.readers import Simulate

SMALL = {"users": 300, "items": 200, "ratings": 6000}


def test_the_truth_agrees_with_what_was_observed_in_any_block() -> None:
    world = Simulate(**SMALL).world()
    data = world.interactions
    truth = world.truth(np.arange(300))
    assert truth.shape == (300, 200)
    assert set(np.unique(truth)) == {1.0, 2.0, 3.0, 4.0, 5.0}
    assert np.array_equal(truth[data.user, data.item], data.value)
    assert np.array_equal(world.truth(np.array([7, 3])), truth[[7, 3]])


def test_inverse_propensities_recover_the_truth_that_observation_hides() -> None:
    world = Simulate(users=400, items=150, ratings=12_000).world()
    data, chance = world.interactions, world.propensity(np.arange(400))
    truth = world.truth(np.arange(400)).mean()
    naive = data.value.mean()
    weight = 1 / chance[data.user, data.item]
    estimate = (data.value * weight).sum() / weight.sum()
    assert abs(naive - truth) > 0.4
    assert abs(estimate - truth) < 0.15 < abs(naive - truth)


def test_a_world_does_not_depend_on_threads() -> None:
    from heldout import threads

    with threads.using(1):
        one = Simulate(users=3000, items=200, ratings=20_000).world().interactions.digest
    with threads.using(4):
        assert Simulate(users=3000, items=200, ratings=20_000).world().interactions.digest == one
