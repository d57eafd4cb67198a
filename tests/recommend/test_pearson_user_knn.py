"""Mean-centred prediction from correlated users, and recommendation from users of similar tastes."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import rating_prediction

from heldout.recommend.knn.cosine_user_knn import CosineUserKNN
from heldout.recommend.knn.pearson_user_knn import PearsonUserKNN
from heldout.recommend.matrix import csr

# Means 3, 4 and 2. Pearson over a and b: user 1 (4, 2) rises and falls as user 0 (4, 2), so does user 2 (3, 1).
CELLS = [[4, 2, 0, 0], [4, 2, 6, 0], [3, 1, 1, 3]]


def test_by_hand(ratings):
    scores = PearsonUserKNN().fit(ratings(CELLS), seed=1).score(np.arange(3))
    # c: 3 + (1·(6 − 4) + 1·(1 − 2))/2 = 3.5; d: 3 + (3 − 2)
    np.testing.assert_allclose(scores[0, 2:], [3.5, 4], rtol=1e-6)
    assert PearsonUserKNN().predicts_ratings


def test_nearest_of_all_and_of_those_who_rated_the_item(ratings):
    # The two similarities are equal, so the lower code is nearer: k = 1 leaves user 1, who did not rate d.
    train = ratings(CELLS)
    np.testing.assert_allclose(PearsonUserKNN(k=1).fit(train, seed=1).score(np.arange(1))[0, 2:], [5, np.nan])
    np.testing.assert_allclose(PearsonUserKNN(k=1, among="raters").fit(train, seed=1).score(np.arange(1))[0, 2:], [5, 4])


def test_shrinkage_weighs_neighbours_by_what_they_share(ratings):
    # User 1 shares 2 items with user 0, user 2 shares 3: weights 2/4 and 3/5 with λ = 2, both correlations being 1.
    train = ratings([[4, 2, 3, 0], [4, 2, 0, 6], [3, 1, 2, 2]])
    scores = PearsonUserKNN(shrinkage=2).fit(train, seed=1).score(np.arange(1))
    assert scores[0, 3] == pytest.approx(3 + (0.5 * (6 - 4) + 0.6 * (2 - 2)) / 1.1)


@pytest.mark.parametrize("k", [4, 1000])
def test_raters_pair_by_pair(k, some_ratings):
    cells = csr(some_ratings).toarray()
    rated = cells > 0
    mean = cells.sum(1) / np.maximum(rated.sum(1), 1)
    scores = PearsonUserKNN(k=k, among="raters", min_overlap=3).fit(some_ratings, seed=1).score(np.arange(90))
    for u in (0, 50):
        alike = np.zeros(90)
        for v in range(90):
            both = rated[u] & rated[v]
            if v != u and both.sum() >= 3 and cells[u, both].std() > 0 and cells[v, both].std() > 0:
                alike[v] = np.float32(max(np.corrcoef(cells[u, both], cells[v, both])[0, 1], 0))
        for i in range(40):
            near = [v for v in np.lexsort((np.arange(90), -alike)) if alike[v] > 1e-6 and rated[v, i]][:k]
            if near:
                expected = mean[u] + (alike[near] * (cells[near, i] - mean[near])).sum() / alike[near].sum()
                assert scores[u, i] == pytest.approx(expected, rel=1e-5)
            else:
                assert np.isnan(scores[u, i])


def test_equal_ratings_have_no_correlation(ratings):
    assert np.isnan(PearsonUserKNN().fit(ratings([[3, 3, 0], [3, 3, 3]]), seed=1).score(np.arange(2))).all()


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


def test_rating_prediction_on_the_published_folds_of_movielens_100k(real_data):
    data = real_data("ml-100k/u1.base").parents[1]
    folds = rating_prediction.splits(data)
    error, predicted, _ = rating_prediction.mean_errors(
        folds, rating_prediction.ours("PearsonUserKNN(k=40, among=raters, shrinkage=50)")
    )
    assert error <= 0.945
    assert predicted > 0.99
