"""Ratings missing by popularity and taste."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.data.nature import nature

from heldout.catalogue import make


def test_counts_of_items_are_exact_or_expected() -> None:
    world = nature()
    exact, expected = (make("missingness", f"by_popularity(counts={counts})") for counts in ("exact", "expected"))
    observed = exact.observe(world)
    assert np.array_equal(np.bincount(observed.item, minlength=30), world.counts)
    assert not np.array_equal(np.bincount(expected.observe(world).item, minlength=30), world.counts)
    assert expected.chances(world).sum(axis=0) == pytest.approx(world.counts, rel=1e-6)


def test_without_pull_an_item_with_twice_the_ratings_is_twice_as_likely_for_any_user() -> None:
    world = replace(nature(), pull=0.0, counts=np.array([10, 20] + [5] * 28))
    chance = make("missingness", "by_popularity").chances(world)
    assert chance[:, 1] == pytest.approx(2 * chance[:, 0])
    assert chance[:, 0] == pytest.approx(10 / 40)


def test_pull_draws_users_to_what_meets_their_taste() -> None:
    """Two genres, two kinds of users: each kind is likelier to rate its own."""
    opinions = replace(
        nature().opinions,
        taste=np.repeat(np.eye(2), 20, axis=0),
        genre=np.tile(np.eye(2), (15, 1)),
    )
    chance = make("missingness", "by_popularity").chances(replace(nature(), opinions=opinions))
    own, other = chance[:20, 10:30:2].mean(), chance[20:, 10:30:2].mean()  # items of the first genre
    assert own > 1.5 * other
