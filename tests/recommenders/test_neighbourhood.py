"""Nearest neighbours against a plain computation of all similarities."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.recommenders.knn.neighbourhood import nearest
from heldout.recommenders.matrix import by_item, by_user


def _similarity(x, y, name):
    both = (x != 0) & (y != 0)
    if name == "cosine":
        return x @ y / (np.linalg.norm(x) * np.linalg.norm(y)) if x.any() and y.any() else 0
    if name == "binary_cosine":
        return both.sum() / np.sqrt((x != 0).sum() * (y != 0).sum()) if x.any() and y.any() else 0
    if name == "jaccard":
        return both.sum() / max(((x != 0) | (y != 0)).sum(), 1)
    if name == "adjusted_cosine":
        below = np.sqrt((x[both] @ x[both]) * (y[both] @ y[both]))
        return x[both] @ y[both] / below if below > 0 else 0
    if both.sum() < 2 or x[both].std() == 0 or y[both].std() == 0:
        return 0
    return np.corrcoef(x[both], y[both])[0, 1]


def _expected(cells, name, k, min_overlap):
    for u, x in enumerate(cells):
        found = [
            (-np.float32(_similarity(x, y, name)), v)
            for v, y in enumerate(cells)
            if v != u and ((x != 0) & (y != 0)).sum() >= min_overlap
        ]
        yield sorted((s, v) for s, v in found if s < -1e-9)[:k]


@pytest.mark.parametrize("side", [by_user, by_item])
@pytest.mark.parametrize("min_overlap", [0, 4])
@pytest.mark.parametrize("similarity", ["cosine", "binary_cosine", "jaccard", "pearson"])
def test_neighbours_are_exact(similarity, min_overlap, side, some_ratings):
    cells = some_ratings.to_csr().toarray()
    rows, columns = by_user(some_ratings), by_item(some_ratings)
    if side is by_item:
        cells, rows, columns = cells.T, columns, rows
    found = nearest(rows, columns, k=12, similarity=similarity, min_overlap=min_overlap)
    for u, expected in enumerate(_expected(cells, similarity, 12, min_overlap)):
        part = slice(found.indptr[u], found.indptr[u + 1])
        np.testing.assert_allclose(found.values[part], [-s for s, _ in expected], rtol=1e-6)
        if similarity in ("binary_cosine", "jaccard"):  # ratios of small whole numbers: equals are exactly equal
            assert found.indices[part].tolist() == [v for _, v in expected]


def test_few_candidates_are_found_as_well(ratings):
    # 300 users who mostly share nothing: neighbours come from the raters of an item, not from a pass over all users.
    draw = np.random.default_rng(0)
    cells = draw.integers(1, 6, (300, 500)) * (draw.random((300, 500)) < 0.01)
    train = ratings(cells)
    found = nearest(by_user(train), by_item(train), k=5, similarity="jaccard")
    for u, expected in enumerate(_expected(cells, "jaccard", 5, 0)):
        assert found.indices[found.indptr[u] : found.indptr[u + 1]].tolist() == [v for _, v in expected]


def test_equals_are_taken_by_lower_code(ratings):
    train = ratings([[2, 2], [3, 3], [1, 1], [4, 4]])
    found = nearest(by_user(train), by_item(train), k=2, similarity="cosine")
    assert found.indices.reshape(4, 2).tolist() == [[1, 2], [0, 2], [0, 1], [0, 1]]
    np.testing.assert_array_equal(found.values, 1)


def test_negative_similarity_makes_no_neighbour(ratings):
    train = ratings([[1, 5], [5, 1], [2, 4]])
    found = nearest(by_user(train), by_item(train), k=2, similarity="pearson")
    assert [found.indices[a:b].tolist() for a, b in zip(found.indptr, found.indptr[1:], strict=False)] == [[2], [], [0]]


def test_adjusted_cosine_is_that_of_shared_ratings_less_their_users_means(some_ratings):
    cells = some_ratings.to_csr().toarray()
    mean = cells.sum(1, keepdims=True) / np.maximum((cells > 0).sum(1, keepdims=True), 1)
    # 1e-9 keeps a rating equal to the mean apart from none at all.
    centred = np.where(cells > 0, cells - mean + 1e-9, 0)
    user, item = by_user(some_ratings), by_item(some_ratings)
    rows = item.with_values(item.values - mean[item.indices, 0])
    columns = user.with_values(user.values - np.repeat(mean[:, 0], user.counts))
    found = nearest(rows, columns, k=10, similarity="adjusted_cosine", min_overlap=3)
    for i, expected in enumerate(_expected(centred.T, "adjusted_cosine", 10, 3)):
        part = slice(found.indptr[i], found.indptr[i + 1])
        np.testing.assert_allclose(found.values[part], [-s for s, _ in expected], rtol=1e-5)


@pytest.mark.parametrize("similarity", ["cosine", "jaccard", "pearson"])
def test_shrinkage_multiplies_by_shared_over_shared_plus_lambda(similarity, some_ratings):
    cells = some_ratings.to_csr().toarray()
    shared = (cells > 0).astype(float) @ (cells > 0).T
    found = nearest(by_user(some_ratings), by_item(some_ratings), k=89, similarity=similarity, shrinkage=10, min_overlap=2)
    for u in (0, 33):
        part = slice(found.indptr[u], found.indptr[u + 1])
        assert len(found.indices[part]) > 5
        for v, value in zip(found.indices[part], found.values[part], strict=True):
            expected = _similarity(cells[u], cells[v], similarity) * shared[u, v] / (shared[u, v] + 10)
            assert value == pytest.approx(expected, rel=1e-5)
            assert shared[u, v] >= 2
        assert (np.diff(found.values[part]) <= 0).all()
