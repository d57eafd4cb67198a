"""What users of a simulated world think, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from heldout import rng
from heldout.data.opinions import Opinions, affinity, cut_points, draws_of_pairs, opinion_noise

OPINIONS = Opinions(
    seed=3,
    taste=np.array([[1.0, 0.0], [0.0, 2.0]]),
    genre=np.array([[1.0, 0.0], [0.6, 0.8]]),
    appeal=np.array([0.5, -0.5]),
    noise=1e-12,
)


def test_an_opinion_is_taste_times_genre_plus_appeal() -> None:
    """User 0 on items 0 and 1: 1 + 0.5 and 0.6 − 0.5; user 1: 0 + 0.5 and 1.6 − 0.5."""
    assert affinity(OPINIONS.taste, OPINIONS.genre, np.array([0, 1]), np.array([1, 1])) == pytest.approx([0.6, 1.6])
    every = OPINIONS.of_pairs(np.array([[0], [1]]), np.array([[0, 1]]))
    assert every == pytest.approx(np.array([[1.5, 0.1], [0.5, 1.1]]))


def test_ratings_go_up_by_one_at_each_cut() -> None:
    assert OPINIONS.ratings(np.array([0, 1]), np.array([0.3, 1.2])).tolist() == [[3, 1], [2, 2]]
    assert OPINIONS.ratings(np.array([1]), np.empty(0)).tolist() == [[1, 1]]


def test_cuts_give_the_levels_their_shares() -> None:
    many = replace(OPINIONS, taste=np.random.default_rng(1).standard_normal((400, 2)), noise=1.0)
    ratings = many.ratings(np.arange(400), many.cuts(np.array([0.5, 0.3, 0.2])))
    assert [(ratings == level).mean() for level in (1, 2, 3)] == pytest.approx([0.5, 0.3, 0.2], abs=0.002)
    assert len(cut_points(np.arange(5.0), np.array([1.0]))) == 0


def test_noise_has_its_scale_and_is_the_same_whenever_it_is_asked_for() -> None:
    user, item = np.divmod(np.arange(40_000), 200)
    noise = opinion_noise(5, 2.0, user, item)
    assert noise.std() == pytest.approx(2.0, rel=0.02) and abs(noise.mean()) < 0.05
    assert np.array_equal(opinion_noise(5, 2.0, user[::-1], item[::-1]), noise[::-1])


def test_draws_are_those_of_the_streams() -> None:
    user, item = np.array([0, 3, 3]), np.array([7, 7, 1])
    assert np.array_equal(draws_of_pairs(rng.key(4, "x"), user, item), rng.uniform(rng.key(4, "x"), user, item))
