"""Neighbourhoods of users and items by hand and against the definition."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks import rating_prediction
from tests.refusals import refused

from heldout import catalogue
from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.recommenders import LMWSRIB, LMWSRUB, CosineUserKNN, ItemKNN, NNCosNgbrIB, NNCosNgbrUB, PearsonUserKNN, UserKNN
from heldout.recommenders.knn.baseline_estimates import baseline
from heldout.recommenders.knn.neighbourhood import Neighbourhood
from heldout.recommenders.matrix import by_item, by_user


@pytest.mark.parametrize("k", [1, 5, 300])
@pytest.mark.parametrize("among", ["rated", "all"])
@pytest.mark.parametrize("by", ["users", "items"])
def test_against_the_definition(by, among, k, some_ratings):
    cells = some_ratings.to_csr().toarray()
    rated = cells > 0
    found = baseline(some_ratings, damping_items=25, damping_users=10)
    estimate = found.overall + found.user[:, None] + found.item
    above = np.where(rated, cells - np.nan_to_num(estimate), 0)
    matrix = cells if by == "users" else cells.T
    norm = np.linalg.norm(matrix, axis=1)
    shared = (matrix > 0).astype(float) @ (matrix > 0).T
    similar = matrix @ matrix.T / np.maximum(np.outer(norm, norm), 1e-12) * shared / (shared + 30)
    np.fill_diagonal(similar, 0)
    order = np.argsort(-similar.astype(np.float32), axis=1, kind="stable")  # equals by lower code
    expected = estimate.copy()
    for u in range(90):
        for i in range(cells.shape[1]):
            row = u if by == "users" else i
            has_rating = rated[:, i] if by == "users" else rated[u]
            near = [j for j in order[row] if similar[row, j] > 0 and (among == "all" or has_rating[j])][:k]
            expected[u, i] += sum(similar[row, j] * (above[j, i] if by == "users" else above[u, j]) for j in near)
    cls = NNCosNgbrUB if by == "users" else NNCosNgbrIB
    scores = cls(k=k, shrinkage=30, among=among).fit(some_ratings, seed=1).score(np.arange(90))
    np.testing.assert_allclose(scores, expected, rtol=1e-4)


@pytest.mark.parametrize("among", ["rated", "all"])
@pytest.mark.parametrize("cls", [NNCosNgbrUB, NNCosNgbrIB])
def test_with_fewer_neighbours_than_asked_for_the_baseline_is_left(cls, among, some_ratings):
    found = baseline(some_ratings, damping_items=25, damping_users=10)
    estimate = found.overall + found.user[:, None] + found.item
    one, two, many = (
        cls(k=3, among=among, min_neighbours=n).fit(some_ratings, seed=1).score(np.arange(90)) for n in (1, 2, 4)
    )
    np.testing.assert_allclose(many, estimate, rtol=1e-6)
    np.testing.assert_array_equal(two[two != many], one[two != many])
    assert (two != many).any()
    if among == "all":
        assert (two != one).any()


def test_without_neighbours_the_baseline_is_left(ratings):
    train = ratings([[5, 0], [0, 3]])
    found = baseline(train, damping_items=25, damping_users=10)
    for cls in (NNCosNgbrUB, NNCosNgbrIB):
        scores = cls().fit(train, seed=1).score(np.arange(2))
        np.testing.assert_allclose(scores, found.overall + found.user[:, None] + found.item, rtol=1e-6)


def _log_likelihoods(cells, mu):
    """ℓ(x, y) of all pairs of rows, term by term."""
    common, length = cells.sum(0) / cells.sum(), cells.sum(1)
    out = np.full((len(cells), len(cells)), -np.inf)
    for x in range(len(cells)):
        for y in range(len(cells)):
            both = (cells[x] > 0) & (cells[y] > 0)
            if x != y and both.any():
                found = (cells[x, both] * np.log(1 + cells[y, both] / (mu * common[both]))).sum()
                out[x, y] = found + length[x] * np.log(mu / (length[y] + mu))
    return out


def _weights(cells, mu, k, weight):
    found, length = _log_likelihoods(cells, mu), cells.sum(1)
    out = np.zeros_like(found)
    for x, row in enumerate(found):
        best = np.argsort(-row, kind="stable")[:k]
        best = best[row[best] > -np.inf]
        if len(best):
            relative = row[best] - row[best].max()
            made = {
                "per_rating": np.exp(relative / length[x]),
                "likelihood": np.exp(relative),
                "log_likelihood": np.maximum(row[best], 0),
                "none": np.ones(len(best)),
            }
            out[x, best] = made[weight]
    return out


def test_by_hand(ratings):
    # p(a|C) = p(b|C) = ½, µ = 2. u = {a: 1}; v = {a: 1, b: 2}: ℓ = log(1 + 1) + log(2/5) = log 0.8;
    # w = {a: 1, b: 1}: ℓ = log 2 + log(2/4) = log 1, the best, so v weighs 0.8: b scores 0.8·2 + 1.
    cells = [[1, 0], [1, 2], [1, 1]]
    train = ratings(cells)
    np.testing.assert_allclose(np.exp(_log_likelihoods(np.array(cells, float), 2)[0, 1:]), [0.8, 1])
    scores = LMWSRUB(mu=2).fit(train, seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[0], [0.8 + 1, 0.8 * 2 + 1], rtol=1e-6)
    np.testing.assert_allclose(LMWSRUB(mu=2, q=2).fit(train, seed=1).score(np.arange(1))[0, 1], 0.64 * 2 + 1, rtol=1e-6)


@pytest.mark.parametrize("weight", ["per_rating", "likelihood", "log_likelihood", "none"])
def test_users_against_the_definition(weight, some_ratings):
    cells = some_ratings.to_csr().toarray()
    weights = _weights(cells, 30.0, 9, weight)
    scores = LMWSRUB(k=9, mu=30, weight=weight).fit(some_ratings, seed=1).score(np.arange(90))
    np.testing.assert_allclose(np.nan_to_num(scores), weights @ cells, rtol=2e-4, atol=1e-6)
    rated = (weights > 0).astype(float) @ (cells > 0) > 0
    assert np.isfinite(scores[rated]).all()


@pytest.mark.parametrize("q", [1, 0.5])
@pytest.mark.parametrize("weight", ["per_rating", "log_likelihood"])
def test_items_against_the_definition(weight, q, some_ratings):
    cells = some_ratings.to_csr().toarray()
    weights = _weights(cells.T, 50.0, 7, weight) ** q * (_weights(cells.T, 50.0, 7, weight) > 0)
    scores = LMWSRIB(k=7, mu=50, weight=weight, q=q).fit(some_ratings, seed=1).score(np.arange(90))
    np.testing.assert_allclose(np.nan_to_num(scores), cells @ weights.T, rtol=2e-4, atol=1e-5)


def test_names_from_the_literature():
    assert catalogue.make("recommender", "LM-WSR-UB(k=3, µ=20)") == LMWSRUB(k=3, mu=20)


def test_item_based_by_hand_with_the_default_weight(ratings):
    # p(v|C) = 2/8; µ = 2: ℓ(a, b) = log(1 + 1/(2 · ¼)) + log(2/(3 + 2)) = log 1.2, so a scores 2 √(log 1.2) for user 1.
    # ℓ(b, a) = log(1 + 1/(2 · ¼)) + 3 log(2/(1 + 2)) = log(8/9) < 0: a is no neighbour of b, and nobody is one of c.
    train = ratings([[1, 1, 0], [0, 2, 0], [0, 0, 4]])
    scores = LMWSRIB(mu=2).fit(train, seed=1).score(np.arange(3))
    nan = np.nan
    expected = [[np.sqrt(np.log(1.2)), nan, nan], [2 * np.sqrt(np.log(1.2)), nan, nan], [nan, nan, nan]]
    np.testing.assert_allclose(scores, expected, rtol=1e-6)


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
    with refused(SpecError, where="UserKNN: 'similarity'", found="cosin", expected="one of cosine"):
        UserKNN(similarity="cosin")


# Columns a, b, c: cos(a, b) = 3·4/(3·5) = 0.8; cos(a, c) = 3·3/(3·5) = 0.6; cos(b, c) = 12/25 = 0.48.
ITEM_KNN_CELLS = [[3, 4, 3], [0, 3, 0], [0, 0, 4]]


def test_weighted_sum_of_own_ratings(ratings):
    scores = ItemKNN().fit(ratings(ITEM_KNN_CELLS), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[1], [2.4, np.nan, 1.44], rtol=1e-6)
    np.testing.assert_allclose(scores[2], [2.4, 1.92, np.nan], rtol=1e-6)
    # user 0: a from b and c: 0.8·4 + 0.6·3 = 5; b: 0.8·3 + 0.48·3; c: 0.6·3 + 0.48·4
    np.testing.assert_allclose(scores[0], [5, 3.84, 3.72], rtol=1e-6)


def test_neighbours_are_those_of_the_scored_item(ratings):
    # k = 1: a's nearest is b, b's is a, c's is a. User 1 rated b, so only a is scored; user 2 rated c: nothing is.
    scores = ItemKNN(k=1).fit(ratings(ITEM_KNN_CELLS), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[1], [2.4, np.nan, np.nan], rtol=1e-6)
    assert np.isnan(scores[2]).all()


def test_normalised(ratings):
    scores = ItemKNN(normalise=True).fit(ratings(ITEM_KNN_CELLS), seed=1).score(np.arange(3))
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
    with refused(SpecError, where="min_neighbours", found=2, hint="leave out min_neighbours"):
        CosineUserKNN(unrated="zero", min_neighbours=2)


# Means 3, 4 and 2. Pearson over a and b: user 1 (4, 2) rises and falls as user 0 (4, 2), so does user 2 (3, 1).
PEARSON_USER_KNN_CELLS = [[4, 2, 0, 0], [4, 2, 6, 0], [3, 1, 1, 3]]


def test_pearson_user_knn_by_hand(ratings):
    scores = PearsonUserKNN(means="overlap").fit(ratings(PEARSON_USER_KNN_CELLS), seed=1).score(np.arange(3))
    # c: 3 + (1·(6 − 4) + 1·(1 − 2))/2 = 3.5; d: 3 + (3 − 2)
    np.testing.assert_allclose(scores[0, 2:], [3.5, 4], rtol=1e-6)
    assert PearsonUserKNN().predicts_ratings


def test_means_of_all_ratings_by_hand(ratings):
    # Deviations on a and b: user 0 (1, −1), user 1 (0, −2), user 2 (1, −1). Correlations 2/√(2·4) = 1/√2 and 1.
    scores = PearsonUserKNN().fit(ratings(PEARSON_USER_KNN_CELLS), seed=1).score(np.arange(1))
    # c: 3 + (2/√2 − 1)/(1/√2 + 1); d: 3 + (3 − 2)
    np.testing.assert_allclose(scores[0, 2:], [3 + (np.sqrt(2) - 1) / (np.sqrt(0.5) + 1), 4], rtol=1e-6)


def test_pearson_user_knn_the_equation_as_it_stands_by_hand(ratings):
    # Correlations 1/√2 and 1, as above. Item c: both rated it; d: user 2 alone, but κ is over both; e: nobody, the mean.
    train = ratings([[*row, 0] for row in PEARSON_USER_KNN_CELLS] + [[0, 0, 0, 0, 5]])
    scores = PearsonUserKNN(unrated="zero").fit(train, seed=1).score(np.arange(4))
    both = np.sqrt(0.5) + 1
    np.testing.assert_allclose(scores[0, 2:], [3 + (np.sqrt(2) - 1) / both, 3 + 1 / both, 3], rtol=1e-6)
    np.testing.assert_allclose(scores[3], 5, rtol=1e-6)  # nobody is near: the mean, whatever the item
    assert PearsonUserKNN(unrated="zero").predicts_ratings
    for other in ({"among": "raters"}, {"values": "binary"}, {"min_neighbours": 2}):
        with refused(SpecError, found=other.get("min_neighbours", "zero")):
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
    with refused(SpecError, where="PearsonUserKNN: 'values'", found="binary", hint="leave out among"):
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
