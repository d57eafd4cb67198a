"""Item-based nearest neighbours by hand."""

from __future__ import annotations

import numpy as np

from heldout.recommenders import ItemKNN

# Columns a, b, c: cos(a, b) = 3·4/(3·5) = 0.8; cos(a, c) = 3·3/(3·5) = 0.6; cos(b, c) = 12/25 = 0.48.
CELLS = [[3, 4, 3], [0, 3, 0], [0, 0, 4]]


def test_weighted_sum_of_own_ratings(ratings):
    scores = ItemKNN().fit(ratings(CELLS), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[1], [2.4, np.nan, 1.44], rtol=1e-6)
    np.testing.assert_allclose(scores[2], [2.4, 1.92, np.nan], rtol=1e-6)
    # user 0: a from b and c: 0.8·4 + 0.6·3 = 5; b: 0.8·3 + 0.48·3; c: 0.6·3 + 0.48·4
    np.testing.assert_allclose(scores[0], [5, 3.84, 3.72], rtol=1e-6)


def test_neighbours_are_those_of_the_scored_item(ratings):
    # k = 1: a's nearest is b, b's is a, c's is a. User 1 rated b, so only a is scored; user 2 rated c: nothing is.
    scores = ItemKNN(k=1).fit(ratings(CELLS), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[1], [2.4, np.nan, np.nan], rtol=1e-6)
    assert np.isnan(scores[2]).all()


def test_normalised(ratings):
    scores = ItemKNN(normalise=True).fit(ratings(CELLS), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[0], [5 / 1.4, 3, 3.72 / 1.08], rtol=1e-6)


def test_adjusted_cosine_subtracts_user_means(some_ratings):
    cells = some_ratings.to_csr().toarray()
    rated = cells != 0
    centred = np.where(rated, cells - cells.sum(1, keepdims=True) / np.maximum(rated.sum(1, keepdims=True), 1), 0)
    scores = ItemKNN(similarity="adjusted_cosine").fit(some_ratings, seed=1).score(np.arange(5))
    for u in range(5):
        for i in range(10):
            total, met = 0.0, False
            for j in np.flatnonzero(rated[u]):
                both = rated[:, i] & rated[:, j]
                x, y = centred[both, i], centred[both, j]
                if j != i and both.any() and x @ y > 0:
                    total, met = total + x @ y / np.sqrt((x @ x) * (y @ y)) * cells[u, j], True
            np.testing.assert_allclose(scores[u, i], total if met else np.nan, rtol=1e-5)


def test_without_a_limit_all_neighbours_count(some_ratings):
    users = np.arange(90)
    unlimited = ItemKNN(k=None).fit(some_ratings, seed=1).score(users)
    np.testing.assert_array_equal(unlimited, ItemKNN(k=10_000).fit(some_ratings, seed=1).score(users))
    assert (unlimited != ItemKNN(k=5).fit(some_ratings, seed=1).score(users)).any()
    assert None in ItemKNN.ranges["k"].options and str(ItemKNN(k=None)) == "ItemKNN(k=none)"
