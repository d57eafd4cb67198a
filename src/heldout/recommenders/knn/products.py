"""Products of the rows of a sparse matrix with all its rows: what many rows share is multiplied densely, by BLAS."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.recommenders.matrix import Rows
from heldout.tables.arrays import Bool, frozen

ROWS_AT_ONCE = 128
_ROOM = 1 << 27
"""Bytes of products that a thread has at once."""
_DENSE = 0.18
"""Share of rows from which a column is multiplied densely: to add up an entry takes as long as 30 products of BLAS."""
_FEWEST_ROWS = 1024
"""Below, all is over before it matters."""


class Products:
    """Room for the products of some rows with all rows, begun by their dense columns where the sums are exact.

    Sums of whole numbers, or of halves, are exact in floating point up to a bound, in whatever order they are added; single
    precision is used where it suffices, which is faster. So neighbours are the same whether or not columns are dense.
    `columns` is the transpose of `rows`; with `every_column` none is left to BLAS, since entries are to be counted.
    """

    def __init__(self, rows: Rows, columns: Rows, *, every_column: bool) -> None:
        self.n = len(rows.indptr) - 1
        most = _largest_sum(rows, columns)
        self._dtype = np.dtype(np.float32 if most <= 2**24 else np.float64)
        many = (columns.counts > _DENSE * self.n) & (self.n >= _FEWEST_ROWS)
        self.dense: Bool = frozen(many & (most <= 2**53) & (not every_column), np.bool_)
        self.matrices: tuple[Any, ...] = (*_of_type(rows, self._dtype), *_of_type(columns, self._dtype))
        self._columns = self._dense_columns(columns) if self.dense.any() else None
        self.rows_at_once = int(np.clip(_ROOM // (self._dtype.itemsize * max(self.n, 1)), 1, ROWS_AT_ONCE))

    def _dense_columns(self, columns: Rows) -> Any:
        """The dense columns, a line of memory for each row."""
        out = np.zeros((self.n, int(self.dense.sum())), self._dtype)
        for k, column in enumerate(np.flatnonzero(self.dense)):
            here = slice(columns.indptr[column], columns.indptr[column + 1])
            out[columns.indices[here], k] = columns.values[here]
        return out

    def begun(self, start: int, stop: int) -> Any:
        """What dense columns add to the products of rows start…stop−1 with all rows; where none is, one row of room."""
        if self._columns is None:
            return np.zeros((1, self.n), self._dtype)
        return self._columns[start:stop] @ self._columns.T


def _of_type(rows: Rows, dtype: Any) -> tuple[Any, Any, Any]:
    return rows.indptr, rows.indices, frozen(rows.values, dtype)


def _largest_sum(rows: Rows, columns: Rows) -> float:
    """A bound of all products of two rows, in quarters where values are halves; infinite where they are neither."""
    unit = 1
    for values in (rows.values, columns.values):
        if not np.array_equal(values, np.rint(values)):
            unit = 4
            if not np.array_equal(2 * values, np.rint(2 * values)):
                return np.inf
    lengths = (rows.sums(rows.values**2), np.bincount(columns.indices, columns.values**2))
    return float(unit * np.sqrt(lengths[0].max(initial=0)) * np.sqrt(lengths[1].max(initial=0)))
