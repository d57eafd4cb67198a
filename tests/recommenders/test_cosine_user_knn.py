"""Cosine similarity over the ratings two users share."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.errors import SpecError
from heldout.recommenders import CosineUserKNN


def test_cosine_by_hand(ratings):
    # cos(0, 1) = 0.8 and cos(0, 2) = 0.6 become 4/7 and 3/7: b scores 4/7 · 3, c 3/7 · 4.
    train = ratings([[3, 0, 0], [4, 3, 0], [3, 0, 4]])
    scores = CosineUserKNN().fit(train, seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[0], [25 / 7, 12 / 7, 12 / 7], rtol=1e-6)


def test_cosine_discards_ratings_that_are_not_positive(ratings):
    # From 3 on, user 2's only shared rating is gone.
    train = ratings([[3, 0, 0], [4, 3, 0], [2, 0, 4]])
    scores = CosineUserKNN(positive=3).fit(train, seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[0], [4, 3, np.nan], rtol=1e-6)
    assert np.isnan(scores[2]).all()
    # A rating of −1 counts for nothing unless asked for.
    np.testing.assert_allclose(CosineUserKNN().fit(ratings([[3, 0], [4, -1]]), seed=1).score(np.arange(1))[0], [4, np.nan])


def test_the_equation_as_it_stands_by_hand(ratings):
    # As above; d, which no neighbour of user 0 rated, scores 0, and so does everything but d for user 3, who has nobody.
    train = ratings([[3, 0, 0, 0], [4, 3, 0, 0], [3, 0, 4, 0], [0, 0, 0, 5], [0, 0, 0, 0]])
    scores = CosineUserKNN(unrated="zero").fit(train, seed=1).score(np.arange(5))
    np.testing.assert_allclose(scores[0], [25 / 7, 12 / 7, 12 / 7, 0], rtol=1e-6)
    np.testing.assert_array_equal(scores[3], 0)
    assert np.isnan(scores[4]).all()  # nothing is known of this user
    assert CosineUserKNN(unrated="zero").predicts_ratings and not CosineUserKNN().predicts_ratings
    with pytest.raises(SpecError, match="unrated=zero"):
        CosineUserKNN(unrated="zero", min_neighbours=2)
