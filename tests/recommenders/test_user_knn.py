"""User-based nearest neighbours by hand."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.errors import SpecError
from heldout.recommenders import UserKNN

# u = 0, v = 1, w = 2. cos(u, v) = 3·4/(3·5) = 0.8; cos(u, w) = 3·3/(3·5) = 0.6; cos(v, w) = 12/25 = 0.48.
CELLS = [[3, 0, 0, 0], [4, 3, 0, 0], [3, 0, 4, 0]]


def _scores(recommender, train):
    return recommender.fit(train, seed=1).score(np.arange(train.n_users))


def test_weighted_sum(ratings):
    scores = _scores(UserKNN(), ratings(CELLS))
    # u: 0.8·4 + 0.6·3 = 5; 0.8·3; 0.6·4; nobody rated item 3
    np.testing.assert_allclose(scores[0], [5, 2.4, 2.4, np.nan], rtol=1e-6)
    # v: 0.8·3 + 0.48·3 = 3.84; nobody else rated item 1; 0.48·4
    np.testing.assert_allclose(scores[1], [3.84, np.nan, 1.92, np.nan], rtol=1e-6)


def test_fewer_neighbours(ratings):
    np.testing.assert_allclose(_scores(UserKNN(k=1), ratings(CELLS))[0], [3.2, 2.4, np.nan, np.nan], rtol=1e-6)


def test_normalised_scores_are_ratings(ratings):
    # (0.8·4 + 0.6·3)/1.4
    scores = _scores(UserKNN(normalise=True), ratings(CELLS))[0]
    np.testing.assert_allclose(scores, [5 / 1.4, 3, 4, np.nan], rtol=1e-6)
    assert UserKNN(normalise=True).predicts_ratings
    assert not UserKNN().predicts_ratings


def test_exponent(ratings):
    # 0.64·4 + 0.36·3 = 3.64
    np.testing.assert_allclose(_scores(UserKNN(q=2), ratings(CELLS))[0], [3.64, 1.92, 1.44, np.nan], rtol=1e-6)


def test_jaccard(ratings):
    # |u ∩ v|/|u ∪ v| = 1/2, the same for w: ½·4 + ½·3
    np.testing.assert_allclose(_scores(UserKNN(similarity="jaccard"), ratings(CELLS))[0], [3.5, 1.5, 2, np.nan])


def test_overlap_too_small_leaves_no_neighbour(ratings):
    assert np.isnan(_scores(UserKNN(min_overlap=2), ratings(CELLS))).all()


def test_unknown_similarity():
    with pytest.raises(SpecError, match="one of cosine"):
        UserKNN(similarity="cosin")
