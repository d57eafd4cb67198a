"""Training ratings as sparse matrices: for recommenders, and for models from elsewhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int32, Int64, Ints, frozen, pointers
from heldout.tables.interactions import Values


class Rows(NamedTuple):
    """A sparse matrix by rows: entries `indptr[r]:indptr[r + 1]` are those of row r.

    Made by `rows`, which locks the arrays: kernels are compiled once for locked arrays and not again for open ones.
    """

    indptr: Int64
    indices: Int32
    values: Float64

    @property
    def counts(self) -> Int64:
        """Entries of each row."""
        return np.diff(self.indptr)

    def with_values(self, values: Float64) -> Rows:
        """The same places with other values."""
        return self._replace(values=frozen(values, np.float64))

    def sums(self, of_entry: Float64) -> Float64:
        """Sum a value of entries over each row."""
        owner = np.repeat(np.arange(len(self.indptr) - 1), self.counts)
        return np.bincount(owner, of_entry, len(self.indptr) - 1).astype(np.float64)


def rows(indptr: Ints, indices: Ints, values: Float64) -> Rows:
    """A sparse matrix of these parts, locked."""
    return Rows(frozen(indptr, np.int64), frozen(indices, np.int32), frozen(values, np.float64))


def by_user(train: Interactions, values: Values = "rating") -> Rows:
    """Users as rows, items as columns."""
    return rows(train.user_indptr, train.item, _values(train, values))


def by_item(train: Interactions, values: Values = "rating") -> Rows:
    """Items as rows, users as columns."""
    indptr, order = train.by_item
    return rows(indptr, train.user[order], _values(train, values)[order])


def transposed(matrix: Rows, n: int) -> Rows:
    """The same entries with the `n` columns as rows, each by ascending row of old."""
    order = np.argsort(matrix.indices, kind="stable")
    owner = np.repeat(np.arange(len(matrix.indptr) - 1, dtype=np.int32), matrix.counts)
    return rows(pointers(matrix.indices, n), owner[order], matrix.values[order])


def _values(train: Interactions, values: Values) -> Float64:
    return train.value if values == "rating" else np.ones(len(train))
