"""Neighbourhood methods that come in a variant by users and one by items."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue
from heldout.errors import NotApplicableError
from heldout.recommenders import LMWSRIB, LMWSRUB, NNCosNgbrIB, NNCosNgbrUB
from heldout.recommenders.knn.baseline_estimates import baseline


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


@pytest.mark.parametrize("name", ["LM-WSR-UB", "LM-WSR-IB", "RocchioWeights", "RSV", "CHI2", "KLD", "RM1", "RM2", "HT"])
def test_negative_ratings_are_refused(name, ratings):
    with pytest.raises(NotApplicableError, match=r"1 ratings are negative \(first: user 0, item 1, -3\)"):
        catalogue.make("recommender", name).fit(ratings([[1, -3]]), seed=1)


def test_item_based_by_hand_with_the_default_weight(ratings):
    # p(v|C) = 2/8; µ = 2: ℓ(a, b) = log(1 + 1/(2 · ¼)) + log(2/(3 + 2)) = log 1.2, so a scores 2 √(log 1.2) for user 1.
    # ℓ(b, a) = log(1 + 1/(2 · ¼)) + 3 log(2/(1 + 2)) = log(8/9) < 0: a is no neighbour of b, and nobody is one of c.
    train = ratings([[1, 1, 0], [0, 2, 0], [0, 0, 4]])
    scores = LMWSRIB(mu=2).fit(train, seed=1).score(np.arange(3))
    nan = np.nan
    expected = [[np.sqrt(np.log(1.2)), nan, nan], [2 * np.sqrt(np.log(1.2)), nan, nan], [nan, nan, nan]]
    np.testing.assert_allclose(scores, expected, rtol=1e-6)
