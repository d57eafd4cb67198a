"""Mean-centred prediction from correlated users, and recommendation from users of similar tastes."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import rating_prediction

from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.recommenders import PearsonUserKNN
from heldout.recommenders.knn.neighbourhood import Neighbourhood
from heldout.recommenders.matrix import by_item, by_user

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


def test_the_equation_as_it_stands_by_hand(ratings):
    # Correlations 1/√2 and 1, as above. Item c: both rated it; d: user 2 alone, but κ is over both; e: nobody, the mean.
    train = ratings([[*row, 0] for row in CELLS] + [[0, 0, 0, 0, 5]])
    scores = PearsonUserKNN(unrated="zero").fit(train, seed=1).score(np.arange(4))
    both = np.sqrt(0.5) + 1
    np.testing.assert_allclose(scores[0, 2:], [3 + (np.sqrt(2) - 1) / both, 3 + 1 / both, 3], rtol=1e-6)
    np.testing.assert_allclose(scores[3], 5, rtol=1e-6)  # nobody is near: the mean, whatever the item
    assert PearsonUserKNN(unrated="zero").predicts_ratings
    for other in ({"among": "raters"}, {"values": "binary"}, {"min_neighbours": 2}):
        with pytest.raises(SpecError, match="unrated=zero"):
            PearsonUserKNN(unrated="zero", **other)


def test_with_means_of_the_overlap_whoever_shares_two_items_correlates_perfectly_or_not_at_all(some_ratings):
    ratings, raters = by_user(some_ratings), by_item(some_ratings)
    alike = Neighbourhood(ratings, raters, "pearson").nearest(89)
    cells = some_ratings.to_csr().toarray() > 0
    shared = cells.astype(int) @ cells.T
    user = np.repeat(np.arange(90), alike.counts)
    two = shared[user, alike.indices] == 2
    assert two.any() and (alike.values[two] == 1).all()


def test_over_ones_and_zeros_of_all_items(some_ratings):
    cells = (some_ratings.to_csr().toarray() > 0).astype(float)
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


def test_shrinkage_weighs_neighbours_by_what_they_share(ratings):
    # User 1 shares 2 items with user 0, user 2 shares 3: weights 2/4 and 3/5 with λ = 2, both correlations being 1.
    train = ratings([[4, 2, 3, 0], [4, 2, 0, 6], [3, 1, 2, 2]])
    scores = PearsonUserKNN(shrinkage=2, means="overlap").fit(train, seed=1).score(np.arange(1))
    assert scores[0, 3] == pytest.approx(3 + (0.5 * (6 - 4) + 0.6 * (2 - 2)) / 1.1)


@pytest.mark.parametrize("rating", [3, 3.3])
@pytest.mark.parametrize("means", ["user", "overlap"])
def test_equal_ratings_have_no_correlation(means, rating, ratings):
    train = ratings(rating * np.array([[1, 1, 0, 1], [1, 1, 1, 1]]))
    assert np.isnan(PearsonUserKNN(means=means).fit(train, seed=1).score(np.arange(2))).all()


def test_rating_prediction_on_the_published_folds_of_movielens_100k(real_data):
    data = real_data("ml-100k/u1.base").parents[1]
    folds = rating_prediction.splits(data)
    error, predicted, _ = rating_prediction.mean_errors(
        folds, rating_prediction.ours("PearsonUserKNN(k=40, among=raters, shrinkage=50)")
    )
    assert error <= 0.945
    assert predicted > 0.99
