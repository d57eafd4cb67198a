"""Products of sparse matrices, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from heldout.kernels.products import filled_rows, gram_upper, panels, rows_times_panels, scaled_columns, sparse_times_dense

X = sparse.diags_array(np.where(np.arange(40) == 5, 0.0, 1.0)) @ sparse.random(40, 70, density=0.3, random_state=1).tocsr()
X.eliminate_zeros()  # of row 5


def test_the_upper_half_of_the_gram_matrix_is_added_row_by_row() -> None:
    rows, columns = X.tocsr(), X.tocsc()
    rows.sort_indices()
    columns.sort_indices()
    out = np.ones((70, 70))
    for start, stop in ((0, 30), (30, 70)):
        gram_upper(
            start, stop, rows.indptr.astype(np.int64), rows.indices, rows.data, columns.indptr.astype(np.int64),
            columns.indices, columns.data, out,
        )  # fmt: skip
    gram = (X.T @ X).toarray()
    np.testing.assert_allclose(np.triu(out), np.triu(gram + 1), rtol=1e-13)
    assert (np.tril(out, -1) == np.tril(np.ones((70, 70)), -1)).all()  # the lower half is left alone


def test_columns_are_divided_by_their_diagonal() -> None:
    """Also where the matrix is larger than one square of the cache."""
    symmetric = np.random.default_rng(2).random((130, 130)) + 1
    symmetric = symmetric + symmetric.T
    expected = -symmetric / np.diag(symmetric)
    np.fill_diagonal(expected, 0)
    scaled = scaled_columns(np.triu(symmetric), np.diag(symmetric).copy())
    assert scaled.dtype == np.float32
    np.testing.assert_allclose(scaled, expected, rtol=1e-6)


def test_chosen_rows_times_a_dense_matrix() -> None:
    """Rows of fewer and of more than eight entries; a row without entries is not zero but unknown."""
    dense = np.random.default_rng(3).random((70, 9)).astype(np.float32)
    rows = np.array([5, 0, 39, 0])
    out = sparse_times_dense(rows, X.indptr.astype(np.int64), X.indices, X.data, dense)
    expected = X[rows].toarray() @ dense
    assert np.isnan(out[0]).all()
    np.testing.assert_allclose(out[1:], expected[1:], rtol=1e-5)


@pytest.mark.parametrize(("factors", "columns"), [(1, 1), (4, 128), (10, 38), (50, 300), (3, 0)])
def test_rows_times_panels_are_inner_products(factors: int, columns: int) -> None:
    """Also where neither the factors nor the columns fill what is multiplied at once."""
    draw = np.random.default_rng(4)
    rows, dense = draw.standard_normal((70, factors)), draw.standard_normal((factors, columns)).astype(np.float32)
    chosen = draw.integers(0, 70, 67)
    out = rows_times_panels(chosen, filled_rows(rows), panels(dense), columns)
    assert (out.shape, out.dtype) == ((67, columns), np.float32)
    np.testing.assert_allclose(out, rows.astype(np.float32)[chosen].astype(float) @ dense, atol=1e-5)


def test_the_place_of_a_row_changes_no_bit_of_its_products() -> None:
    """BLAS with AVX2 gives other bits from the seventh row on."""
    draw = np.random.default_rng(5)
    rows, dense = draw.standard_normal((64, 50)), draw.standard_normal((50, 300)).astype(np.float32)
    order = draw.permutation(64)
    straight, mixed = (rows_times_panels(those, filled_rows(rows), panels(dense), 300) for those in (np.arange(64), order))
    assert mixed.tobytes() == straight[order].tobytes()
    [alone] = rows_times_panels(np.array([63]), filled_rows(rows), panels(dense), 300)
    assert alone.tobytes() == straight[63].tobytes()
