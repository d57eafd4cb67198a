"""Neighbours are the same whether or not what many rows share is multiplied densely."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from heldout.recommenders.knn import products
from heldout.recommenders.knn.neighbourhood import nearest
from heldout.recommenders.knn.products import Products
from heldout.recommenders.matrix import Rows, rows, transposed

N = 1500


def _matrix(values: list[float]) -> tuple[Rows, Rows]:
    """Rows of 60 columns, of which some are dense; every tenth row has one or two entries alone, and every 200th none."""
    draw = np.random.default_rng(5)
    rated = draw.random((N, 60)) < np.linspace(0.9, 0.01, 60) ** 2
    rated[::10, 2:] = False
    rated[::200] = False
    cells = sparse.csr_matrix(np.where(rated, draw.choice(values, (N, 60)), 0.0))
    matrix = rows(cells.indptr, cells.indices, cells.data)
    return matrix, transposed(matrix, 60)


WHOLE, HALVES, LARGE, OTHERS = [1.0, 2.0, 5.0], [0.5, 1.0, 4.5], [1000.0, 3001.0], [0.1, 0.7, 1.3]


@pytest.mark.parametrize(
    ("values", "dtype", "some_dense"),
    [(WHOLE, "float32", True), (HALVES, "float32", True), (LARGE, "float64", True), (OTHERS, "float64", False)],
    ids=["whole", "halves", "large", "others"],
)
def test_only_exact_sums_are_left_to_blas(values: list[float], dtype: str, some_dense: bool) -> None:
    matrix, columns = _matrix(values)
    made = Products(matrix, columns, every_column=False)
    assert made.begun(3, 7).dtype == dtype and bool(made.dense.any()) == some_dense
    assert made.begun(3, 7).shape == ((4, N) if some_dense else (1, N))
    assert not made.dense.all()
    dense = _cells(matrix)[:, made.dense]
    if some_dense:
        assert np.array_equal(made.begun(3, 7), dense[3:7] @ dense.T)
    assert not Products(matrix, columns, every_column=True).dense.any()


@pytest.mark.parametrize("values", [WHOLE, HALVES, LARGE, OTHERS], ids=["whole", "halves", "large", "others"])
@pytest.mark.parametrize("similarity", ["cosine", "binary_cosine", "jaccard"])
def test_neighbours_are_the_same_with_and_without_dense_columns(
    similarity: str, values: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    matrix, columns = _matrix(values)
    found = nearest(matrix, columns, k=7, similarity=similarity)
    monkeypatch.setattr(products, "_DENSE", 2.0)
    plain = nearest(matrix, columns, k=7, similarity=similarity)
    for ours, theirs in zip(found, plain, strict=True):
        assert np.array_equal(ours, theirs)
    for u in (3, 10, 200, 777):
        codes = found.indices[found.indptr[u] : found.indptr[u + 1]]
        alike = found.values[found.indptr[u] : found.indptr[u + 1]]
        expected = _similarities(matrix, u, similarity)
        expected[u] = 0
        best = np.lexsort((np.arange(N), -expected))[:7]
        assert codes.tolist() == best[expected[best] > 0].tolist()
        assert alike.tolist() == expected[codes].tolist()


def _cells(matrix: Rows) -> Any:
    return sparse.csr_matrix((matrix.values, matrix.indices, matrix.indptr), shape=(N, 60)).toarray()


def _similarities(matrix: Rows, u: int, similarity: str) -> Any:
    cells = _cells(matrix)
    if similarity != "cosine":
        cells = (cells != 0).astype(float)
    both, length = cells @ cells[u], (cells**2).sum(axis=1)
    below = length + length[u] - both if similarity == "jaccard" else np.sqrt(length) * np.sqrt(length[u])
    return np.where(below > 0, both / np.where(below > 0, below, 1), 0).astype(np.float32)
