"""Mean-centred prediction from correlated users, and recommendation from users of similar tastes."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import rating_prediction

from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.recommenders.knn.cosine_user_knn import CosineUserKNN
from heldout.recommenders.knn.neighbourhood import Neighbourhood
from heldout.recommenders.knn.pearson_user_knn import PearsonUserKNN
from heldout.recommenders.matrix import by_item, by_user, csr

# Means 3, 4 and 2. Pearson over a and b: user 1 (4, 2) rises and falls as user 0 (4, 2), so does user 2 (3, 1).
CELLS = [[4, 2, 0, 0], [4, 2, 6, 0], [3, 1, 1, 3]]


def test_by_hand(ratings):
    scores = PearsonUserKNN(means="overlap").fit(ratings(CELLS), seed=1).score(np.arange(3))
    # c: 3 + (1·(6 − 4) + 1·(1 − 2))/2 = 3.5; d: 3 + (3 − 2)
    np.testing.assert_allclose(scores[0, 2:], [3.5, 4], rtol=1e-6)
    assert PearsonUserKNN().predicts_ratings


def test_means_of_all_ratings_by_hand(ratings):
    # Deviations on a and b: user 0 (1, −1), user 1 (0, −2), user 2 (1, −1). Correlations 2/√(2·4) = 1/√2 and 1.
    scores = PearsonUserKNN().fit(ratings(CELLS), seed=1).score(np.arange(1))
    # c: 3 + (2/√2 − 1)/(1/√2 + 1); d: 3 + (3 − 2)
    np.testing.assert_allclose(scores[0, 2:], [3 + (np.sqrt(2) - 1) / (np.sqrt(0.5) + 1), 4], rtol=1e-6)


def test_with_means_of_the_overlap_whoever_shares_two_items_correlates_perfectly_or_not_at_all(some_ratings):
    ratings, raters = by_user(some_ratings), by_item(some_ratings)
    alike = Neighbourhood(ratings, raters, "pearson").nearest(89)
    cells = csr(some_ratings).toarray() > 0
    shared = cells.astype(int) @ cells.T
    user = np.repeat(np.arange(90), alike.counts)
    two = shared[user, alike.indices] == 2
    assert two.any() and (alike.values[two] == 1).all()


def test_over_ones_and_zeros_of_all_items(some_ratings):
    cells = (csr(some_ratings).toarray() > 0).astype(float)
    scores = PearsonUserKNN(k=7, values="binary").fit(some_ratings, seed=1).score(np.arange(90))
    with np.errstate(invalid="ignore"):
        alike = np.nan_to_num(np.corrcoef(cells)).astype(np.float32)
    np.fill_diagonal(alike, 0)
    for u in (0, 17, 50):
        near = [v for v in np.argsort(-alike[u], kind="stable")[:7] if alike[u, v] > 0]
        expected = cells[u].mean() + alike[u, near] @ (cells[near] - cells[near].mean(1)[:, None]) / alike[u, near].sum()
        np.testing.assert_allclose(scores[u], expected, rtol=1e-4, atol=1e-6)
    assert not PearsonUserKNN(values="binary").predicts_ratings
    with pytest.raises(SpecError, match="values=binary correlates over all items"):
        PearsonUserKNN(values="binary", among="raters")


@pytest.mark.parametrize(
    "text",
    [
        "PearsonUserKNN(k=5)",
        "PearsonUserKNN(k=5, among=raters, min_overlap=6)",
        "UserKNN(k=5)",
        "UserKNN(k=5, normalise=true)",
        "ItemKNN(k=5)",
        "CosineUserKNN(k=5)",
    ],
)
def test_an_estimate_that_rests_on_too_few_neighbours_is_dropped(text, some_ratings):
    one, two = (
        make("recommender", f"{text[:-1]}, min_neighbours={least})").fit(some_ratings, seed=1).score(np.arange(90))
        for least in (1, 2)
    )
    kept = ~np.isnan(two)
    np.testing.assert_array_equal(two[kept], one[kept])
    assert 0 < kept.sum() < (~np.isnan(one)).sum()


def test_who_rated_the_item_is_counted(ratings):
    # Of the neighbours of user 0, both rated b, one c.
    train = ratings([[5, 0, 0], [5, 4, 0], [5, 3, 2]])
    for text in ("UserKNN", "CosineUserKNN"):
        scores = make("recommender", f"{text}(min_neighbours=2)").fit(train, seed=1).score(np.arange(1))
        assert np.isnan(scores[0]).tolist() == [False, False, True]


def test_nearest_of_all_and_of_those_who_rated_the_item(ratings):
    # The two similarities are equal, so the lower code is nearer: k = 1 leaves user 1, who did not rate d.
    train = ratings(CELLS)
    np.testing.assert_allclose(
        PearsonUserKNN(k=1, means="overlap").fit(train, seed=1).score(np.arange(1))[0, 2:], [5, np.nan]
    )
    raters = PearsonUserKNN(k=1, among="raters", means="overlap")
    np.testing.assert_allclose(raters.fit(train, seed=1).score(np.arange(1))[0, 2:], [5, 4])


def test_shrinkage_weighs_neighbours_by_what_they_share(ratings):
    # User 1 shares 2 items with user 0, user 2 shares 3: weights 2/4 and 3/5 with λ = 2, both correlations being 1.
    train = ratings([[4, 2, 3, 0], [4, 2, 0, 6], [3, 1, 2, 2]])
    scores = PearsonUserKNN(shrinkage=2, means="overlap").fit(train, seed=1).score(np.arange(1))
    assert scores[0, 3] == pytest.approx(3 + (0.5 * (6 - 4) + 0.6 * (2 - 2)) / 1.1)


@pytest.mark.parametrize("means", ["user", "overlap"])
@pytest.mark.parametrize("k", [4, 1000])
def test_raters_pair_by_pair(k, means, some_ratings):
    cells = csr(some_ratings).toarray()
    rated = cells > 0
    mean = cells.sum(1) / np.maximum(rated.sum(1), 1)
    scores = PearsonUserKNN(k=k, among="raters", means=means, min_overlap=3).fit(some_ratings, seed=1).score(np.arange(90))
    for u in (0, 50):
        alike = np.zeros(90)
        for v in range(90):
            both = rated[u] & rated[v]
            if v == u or both.sum() < 3:
                continue
            x, y = (cells[w, both] - (mean[w] if means == "user" else cells[w, both].mean()) for w in (u, v))
            if x.any() and y.any():
                alike[v] = np.float32(max(x @ y / np.sqrt((x @ x) * (y @ y)), 0))
        for i in range(40):
            near = [v for v in np.lexsort((np.arange(90), -alike)) if alike[v] > 1e-6 and rated[v, i]][:k]
            if near:
                expected = mean[u] + (alike[near] * (cells[near, i] - mean[near])).sum() / alike[near].sum()
                assert scores[u, i] == pytest.approx(expected, rel=1e-5)
            else:
                assert np.isnan(scores[u, i])


@pytest.mark.parametrize("rating", [3, 3.3])
@pytest.mark.parametrize("means", ["user", "overlap"])
def test_equal_ratings_have_no_correlation(means, rating, ratings):
    train = ratings(rating * np.array([[1, 1, 0, 1], [1, 1, 1, 1]]))
    assert np.isnan(PearsonUserKNN(means=means).fit(train, seed=1).score(np.arange(2))).all()


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
