"""RocchioWeights, RSV, CHI2 and KLD by hand."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue
from heldout.recommenders import CHI2, KLD, RSV, RocchioWeights
from heldout.tables import Interactions, Vocabulary

# V_0 = {1, 2}: they gave 5 + 3 points to a, 2 to b, 6 to c, 16 in all; nobody rated d. In all 20 points: a 12, b 2, c 6.
CELLS = [[4, 0, 0, 0], [5, 2, 0, 0], [3, 0, 6, 0]]


def _first(recommender, train):
    return recommender.fit(train, seed=1).score(np.arange(train.n_users))[0]


def test_rocchio_weights(ratings):
    np.testing.assert_allclose(_first(RocchioWeights(), ratings(CELLS)), [4, 1, 3, np.nan])
    # cos(0, 1) = 5/√29 = 0.93, cos(0, 2) = 3/√45 = 0.45: with k = 1 only user 1 is left.
    np.testing.assert_allclose(_first(RocchioWeights(k=1), ratings(CELLS)), [5, 2, np.nan, np.nan])


def test_rsv(ratings):
    np.testing.assert_allclose(_first(RSV(), ratings(CELLS)), [4 * 8 / 16, 1 * 2 / 16, 3 * 6 / 16, np.nan])


def test_chi2(ratings):
    # shares of 0.5, 0.125, 0.375 against 0.6, 0.1, 0.3
    scores = _first(CHI2(gamma=0, length_norm=False), ratings(CELLS))
    np.testing.assert_allclose(scores, [0.1**2 / 0.6, 0.025**2 / 0.1, 0.075**2 / 0.3, np.nan], rtol=1e-6)


def test_kld(ratings):
    scores = _first(KLD(gamma=0, length_norm=False), ratings(CELLS))
    expected = [0.5 * np.log(0.5 / 0.6), 0.125 * np.log(1.25), 0.375 * np.log(1.25), np.nan]
    np.testing.assert_allclose(scores, expected, rtol=1e-6)


def test_smoothing_and_length_normalisation(ratings):
    # γ = 5: p(·|C) = 17/40, 7/40, 11/40, 5/40. Own shares: user 1 has 5/7, 2/7, user 2 3/9, 6/9; their means count.
    share = (np.array([5 / 7, 2 / 7, 0]) + np.array([3 / 9, 0, 6 / 9])) / 2
    common = np.array([17, 7, 11]) / 40
    scores = _first(KLD(gamma=5, length_norm=True), ratings(CELLS))
    np.testing.assert_allclose(scores[:3], share * np.log(share / common), rtol=1e-6)
    scores = _first(CHI2(gamma=5, length_norm=True), ratings(CELLS))
    np.testing.assert_allclose(scores[:3], (share - common) ** 2 / common, rtol=1e-5)


@pytest.mark.parametrize("k", [1, 5, 89, 1000])
def test_rsv_ranks_exactly_as_rocchio_weights(k, some_ratings):
    first, second = (cls(k=k).fit(some_ratings, seed=1).score(np.arange(90)) for cls in (RocchioWeights, RSV))
    np.testing.assert_array_equal(np.isnan(first), np.isnan(second))
    for a, b in zip(first, second, strict=True):
        seen = ~np.isnan(a)
        np.testing.assert_array_equal(np.unique(a[seen], return_inverse=True)[1], np.unique(b[seen], return_inverse=True)[1])


def test_equal_ratings_and_more_neighbours_than_users(ratings):
    # All gave 3: the mean is 3 · raters among the others / their number.
    cells = np.array([[3, 3, 0], [3, 0, 3], [3, 3, 0]])
    np.testing.assert_allclose(_first(RocchioWeights(k=50), ratings(cells)), [3, 1.5, 1.5])


@pytest.mark.parametrize("name", ["RSV", "CHI2", "KLD", "RM1", "RM2", "LM-WSR-UB", "LM-WSR-IB", "UserKNN", "HT"])
def test_ratings_of_zero_are_no_error_and_give_no_infinities(name):
    users, items = Vocabulary.numbered(3), Vocabulary.numbered(2)
    user, item = np.array([0, 0, 1, 2, 2]), np.array([0, 1, 0, 0, 1])
    for value in (np.zeros(5), np.array([0.0, 2, 3, 0, 4])):
        train = Interactions.build(users, items, user, item, value)
        scores = catalogue.make("recommender", name).fit(train, seed=1).score(np.arange(3))
        assert not np.isinf(scores).any()
        if not value.any():
            assert np.isnan(scores).all()


def test_names_from_the_literature(some_ratings):
    assert catalogue.make("recommender", "RW(k=3)") == RocchioWeights(k=3)
    # Neighbours by other similarities: those of UserKNN, which adds sim^0 · r.
    found = RocchioWeights(k=6, similarity="jaccard").fit(some_ratings, seed=1).score(np.arange(90))
    sums = (
        catalogue.make("recommender", "UserKNN(k=6, similarity=jaccard, q=0)").fit(some_ratings, seed=1).score(np.arange(90))
    )
    np.testing.assert_allclose(found, sums / 6, rtol=1e-6)
    assert some_ratings.to_csr().nnz == len(some_ratings)
