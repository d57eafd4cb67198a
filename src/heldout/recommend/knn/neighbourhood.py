"""The neighbourhood machinery: exact nearest neighbours by similarity, and scores as weighted sums over them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from heldout import threads
from heldout.recommend import matrix
from heldout.recommend.matrix import Rows
from heldout.recommend.recommender import Model
from heldout.tables.arrays import Float32, Float64, Ints, frozen

Similarity = Literal["cosine", "binary_cosine", "jaccard", "pearson"]

_BLOCK = 128


def nearest(rows: Rows, columns: Rows, *, k: int, similarity: str, min_overlap: int = 0) -> Rows:
    """The at most k most similar other rows of every row, most similar first, with their similarities as values.

    `columns` is the transpose of `rows`. Only positive similarities make a neighbour; among equals the lower code is
    nearer. `adjusted_cosine` is the cosine over shared columns alone, of values that the caller has centred.
    """
    from heldout.kernels import neighbours as kernels

    n = len(rows.indptr) - 1
    k = max(1, min(k, n - 1))
    if similarity in ("pearson", "adjusted_cosine"):
        find: Any = kernels.nearest_by_overlap
        options: tuple[Any, ...] = (similarity == "pearson", k, min_overlap)
    else:
        find, options = kernels.nearest_by_products, (_scale(rows, similarity), similarity == "jaccard", k, min_overlap)
        if similarity != "cosine":
            rows, columns = _ones(rows), _ones(columns)

    def work(start: int) -> Any:
        return find(start, min(start + _BLOCK, n), *rows, *columns, *options)

    codes, values, counts = [], [], [np.zeros(1, np.int64)]
    for code, value, kept in threads.run_all(work, range(0, n, _BLOCK)):
        full = np.arange(k)[None, :] < kept[:, None]
        codes.append(code[full])
        values.append(value[full])
        counts.append(kept)
    return matrix.rows(np.cumsum(np.concatenate(counts)), _joined(codes, np.int32), _joined(values, np.float64))


def _scale(rows: Rows, similarity: str) -> Float64:
    if similarity == "cosine":
        return np.sqrt(rows.sums(rows.values**2))
    counts = rows.counts.astype(np.float64)
    return counts if similarity == "jaccard" else np.sqrt(counts)


def _ones(rows: Rows) -> Rows:
    return rows.with_values(np.ones(len(rows.values)))


def _joined(parts: list[Any], dtype: Any) -> Any:
    return np.concatenate(parts).astype(dtype) if parts else np.zeros(0, dtype)


class WeightedSum(Model):
    """Scores that are rows of a product of two sparse matrices, NaN where nothing was added.

    Over users: similarities of neighbours × their ratings. Over items: the user's ratings × similarities.
    """

    def __init__(self, left: Rows, right: Rows, n_items: int, *, divide_by: Literal["none", "left", "right"]) -> None:
        self._left, self._right, self._n = left, right, n_items
        self._divide = ("none", "left", "right").index(divide_by)

    def score(self, users: Ints) -> Float32:
        """The rows of these users."""
        from heldout.kernels.neighbours import weighted_rows

        out: Float32 = weighted_rows(frozen(users, np.int64), *self._left, *self._right, self._n, self._divide)
        return out
