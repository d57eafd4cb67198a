"""Baseline estimates and the two NNCosNgbr recommenders."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.recommend.knn.baseline_estimates import baseline
from heldout.recommend.knn.nncosngbr_ib import NNCosNgbrIB
from heldout.recommend.knn.nncosngbr_ub import NNCosNgbrUB
from heldout.recommend.matrix import csr


def test_baseline_by_hand(ratings):
    # µ = (5 + 3 + 4)/3 = 4. b_a = (1 + 0)/(2 + 2) = ¼, b_b = −1/(1 + 2) = −⅓.
    # b_0 = (5 − 4.25 + 3 − 4 + ⅓)/(2 + 1) = (0.75 − ⅔)/3 = 1/36; b_1 = −0.25/2 = −⅛.
    found = baseline(ratings([[5, 3, 0], [4, 0, 0]]), damping_items=2, damping_users=1)
    assert found.overall == 4
    np.testing.assert_allclose(found.item, [1 / 4, -1 / 3, np.nan])
    np.testing.assert_allclose(found.user, [1 / 36, -1 / 8])


@pytest.mark.parametrize("by", ["users", "items"])
def test_against_the_definition(by, some_ratings):
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
    nearest = np.argsort(-similar.astype(np.float32), axis=1, kind="stable")[:, :5]  # equals by lower code
    weights = np.zeros_like(similar)
    np.put_along_axis(weights, nearest, np.take_along_axis(similar, nearest, axis=1), axis=1)
    expected = estimate + (weights @ above if by == "users" else above @ weights.T)
    cls = NNCosNgbrUB if by == "users" else NNCosNgbrIB
    scores = cls(k=5, shrinkage=30).fit(some_ratings, seed=1).score(np.arange(90))
    np.testing.assert_allclose(scores, expected, rtol=1e-4)


def test_without_neighbours_the_baseline_is_left(ratings):
    train = ratings([[5, 0], [0, 3]])
    found = baseline(train, damping_items=25, damping_users=10)
    for cls in (NNCosNgbrUB, NNCosNgbrIB):
        scores = cls().fit(train, seed=1).score(np.arange(2))
        np.testing.assert_allclose(scores, found.overall + found.user[:, None] + found.item, rtol=1e-6)
