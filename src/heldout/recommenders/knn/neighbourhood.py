"""The neighbourhood machinery: exact nearest neighbours by similarity, and scores as weighted sums over them."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from heldout import threads
from heldout.errors import SpecError
from heldout.recommenders import matrix
from heldout.recommenders.guards import refuse_beyond
from heldout.recommenders.knn.products import ROWS_AT_ONCE, Products
from heldout.recommenders.matrix import Rows
from heldout.recommenders.recommender import Model
from heldout.tables.arrays import Bool, Float32, Float64, Int64, Ints, frozen

Similarity = Literal["cosine", "binary_cosine", "jaccard", "pearson"]
Unrated = Literal["skip", "zero"]
UNRATED = "a neighbour who did not rate the item: skip it, or count it as 0, as the equation of Gunawardana and Shani stands"
MIN_NEIGHBOURS = "neighbours who rated the item that an estimate rests on, at least; with fewer there is none"


class Neighbourhood:
    """A similarity between the rows of a sparse matrix, ready to be searched for nearest neighbours.

    `columns` is the transpose of `rows`. Only positive similarities make a neighbour; among equals the lower code is
    nearer. `shrinkage` λ multiplies a similarity over n shared columns by n/(n + λ); fewer than `min_overlap` make no
    neighbour. `pearson` correlates over shared columns alone, with the means of these; `binary_pearson` correlates vectors
    of ones and zeros over all columns. `adjusted_cosine` is the cosine over shared columns alone, of values that the
    caller has centred.
    `query_likelihood`, which needs `mu`, is the likelihood of a row's values, each a repeated draw, under the other row's
    Dirichlet language model over that under the collection's, per draw: with p(c|C) = Σ_y y_c / Σ_{y,d} y_d,
    sim(x, y) = exp(ℓ(x, y)/|x|), ℓ(x, y) = Σ_c x_c log(1 + y_c/(µ p(c|C))) + |x| log(µ/(|y| + µ)).
    """

    def __init__(
        self,
        rows: Rows,
        columns: Rows,
        similarity: str,
        *,
        min_overlap: int = 0,
        shrinkage: float = 0.0,
        mu: float = 1.0,
    ) -> None:
        from heldout.kernels import neighbours as kernels

        self.n = len(rows.indptr) - 1
        # Up to there sums of squares, and products of two of them, are numbers; beyond, nobody would be a neighbour.
        refuse_beyond(float(np.abs(rows.values).max(initial=0)), "ratings")
        rule = (min_overlap, shrinkage)
        self._products: Products | None
        if similarity in ("pearson", "adjusted_cosine"):
            self._find: Any = kernels.nearest_by_overlap
            self._before: tuple[Any, ...] = (*rows, *columns, similarity == "pearson")
            self._after, self._products = rule, None
            return
        offset = np.zeros(self.n)
        if similarity == "query_likelihood":
            form, scale = 2, rows.sums(rows.values)
            columns = _likelihoods(columns, mu)
            offset = np.log(mu) - np.log(scale + mu)
        elif similarity == "cosine":
            form, scale = 0, np.sqrt(rows.sums(rows.values**2))
        else:
            rows, columns = _ones(rows), _ones(columns)
            counts = rows.counts.astype(np.float64)
            if similarity == "binary_pearson":
                form, offset, scale = 3, counts, np.sqrt(counts * (len(columns.counts) - counts))
            else:
                form, scale = (1, counts) if similarity == "jaccard" else (0, np.sqrt(counts))
        self._find = kernels.nearest_by_products
        self._products = Products(rows, columns, every_column=min_overlap > 1 or shrinkage > 0)
        self._before = (*self._products.matrices, frozen(scale, np.float64), frozen(offset, np.float64), form)
        self._after = rule

    def block(self, start: int, stop: int, k: int) -> tuple[Any, Any, Int64]:
        """The k nearest of rows start…stop−1, nearest first: (codes, similarities, how many there are)."""
        begun = () if self._products is None else (self._products.begun(start, stop), self._products.dense)
        code, value, kept = self._find(start, stop, *self._before, *begun, k, *self._after)
        return code, value, kept

    def nearest(self, k: int) -> Rows:
        """The at most k most similar other rows of every row, most similar first, with their similarities as values."""
        k = max(1, min(k, self.n - 1))
        codes, values, counts = [], [], [np.zeros(1, np.int64)]
        size = ROWS_AT_ONCE if self._products is None else self._products.rows_at_once
        for code, value, kept in threads.run_all(
            lambda start: self.block(start, min(start + size, self.n), k), range(0, self.n, size)
        ):
            full = np.arange(k)[None, :] < kept[:, None]
            codes.append(code[full])
            values.append(value[full])
            counts.append(kept)
        return matrix.rows(np.cumsum(np.concatenate(counts)), _joined(codes, np.int32), _joined(values, np.float64))


def nearest(
    rows: Rows,
    columns: Rows,
    *,
    k: int,
    similarity: str,
    min_overlap: int = 0,
    shrinkage: float = 0.0,
    mu: float = 1.0,
) -> Rows:
    """The at most k most similar other rows of every row; see `Neighbourhood`."""
    neighbourhood = Neighbourhood(rows, columns, similarity, min_overlap=min_overlap, shrinkage=shrinkage, mu=mu)
    return neighbourhood.nearest(k)


def _likelihoods(columns: Rows, mu: float) -> Rows:
    """log(1 + y_c/(µ p(c|C))) of every entry; the background p(c|C) is the column's share of all values."""
    totals = columns.sums(columns.values)
    background = np.repeat(totals / max(totals.sum(), np.finfo(np.float64).tiny), columns.counts)
    ratio = np.zeros(len(columns.values))
    np.divide(columns.values, mu * background, out=ratio, where=background > 0)
    return columns.with_values(np.log1p(ratio))


def _ones(rows: Rows) -> Rows:
    return rows.with_values(np.ones(len(rows.values)))


def _joined(parts: list[Any], dtype: Any) -> Any:
    return np.concatenate(parts).astype(dtype) if parts else np.zeros(0, dtype)


def per_row(rows: Rows, of_row: Float64) -> Float64:
    """A value of each row, for all of its entries."""
    return np.repeat(of_row, rows.counts)


class WeightedSum(Model):
    """Scores that are rows of a product of two sparse matrices, NaN where fewer than `least` products were added.

    Over users: similarities of neighbours × their ratings. Over items: the user's ratings × similarities.
    """

    def __init__(
        self,
        left: Rows,
        right: Rows,
        n_items: int,
        *,
        divide_by: Literal["none", "left", "right"] = "none",
        least: int = 1,
    ) -> None:
        self._left, self._right, self._n, self._least = left, right, n_items, least
        self._divide = ("none", "left", "right").index(divide_by)
        most = float(np.abs(left.values).max(initial=0)) * float(np.abs(right.values).max(initial=0))
        refuse_beyond(most * float(left.counts.max(initial=0)), "sums over neighbours")

    def score(self, users: Ints) -> Float32:
        """The rows of these users."""
        from heldout.kernels.neighbours import weighted_rows

        sums = (*self._left, *self._right, self._n, self._divide, self._least)
        out: Float32 = weighted_rows(frozen(users, np.int64), *sums)
        return out


class ZeroFilled(Model):
    """Sums of a model, 0 where it has none; users who are not `served` have no score."""

    def __init__(self, sums: Model, served: Bool) -> None:
        self._sums, self._served = sums, served

    def score(self, users: Ints) -> Float32:
        """The rows of these users."""
        filled = np.nan_to_num(self._sums.score(users), nan=0.0, posinf=None, neginf=None)
        out: Float32 = np.where(self._served[users][:, None], filled, np.nan).astype(np.float32)
        return out


def refuse_unrated(recommender: Any) -> None:
    """Raise SpecError if neighbours without a rating count as 0 and an estimate shall rest on several ratings too."""
    if recommender.unrated == "zero" and recommender.min_neighbours != 1:
        raise SpecError(
            "unrated=zero scores every item, whoever rated it",
            where="min_neighbours",
            found=recommender.min_neighbours,
            hint="leave out min_neighbours",
        )
