"""Baseline estimates and the two NNCosNgbr recommenders."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.recommenders.knn.baseline_estimates import baseline
from heldout.recommenders.knn.nncosngbr_ib import NNCosNgbrIB
from heldout.recommenders.knn.nncosngbr_ub import NNCosNgbrUB
from heldout.recommenders.matrix import csr


def test_baseline_by_hand(ratings):
    # µ = (5 + 3 + 4)/3 = 4. b_a = (1 + 0)/(2 + 2) = ¼, b_b = −1/(1 + 2) = −⅓.
    # b_0 = (5 − 4.25 + 3 − 4 + ⅓)/(2 + 1) = (0.75 − ⅔)/3 = 1/36; b_1 = −0.25/2 = −⅛.
    found = baseline(ratings([[5, 3, 0], [4, 0, 0]]), damping_items=2, damping_users=1)
    assert found.overall == 4
    np.testing.assert_allclose(found.item, [1 / 4, -1 / 3, np.nan])
    np.testing.assert_allclose(found.user, [1 / 36, -1 / 8])


@pytest.mark.parametrize("k", [1, 5, 300])
@pytest.mark.parametrize("among", ["rated", "all"])
@pytest.mark.parametrize("by", ["users", "items"])
def test_against_the_definition(by, among, k, some_ratings):
    cells = csr(some_ratings).toarray()
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
