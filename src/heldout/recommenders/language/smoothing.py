"""Smoothed language models of users: what each rated, mixed with what everyone rated."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from heldout.errors import SpecError
from heldout.recommenders.knn.neighbourhood import per_row
from heldout.recommenders.matrix import Rows
from heldout.tables.arrays import Float64, frozen

Smoothing = Literal["absolute", "jelinek_mercer", "dirichlet"]


class LanguageModels(NamedTuple):
    """p(i|v) = seen[v, i] + rest[v] · common[i] for all users v and items i."""

    seen: Rows
    rest: Float64
    common: Float64
    """p(i|C); 0 for items without ratings."""


def language_models(ratings: Rows, n_items: int, smoothing: Smoothing, amount: float) -> LanguageModels:
    """The model of every row of ratings of at least 0; a user without a positive rating has the collection's.

    absolute:       (max(r − δ, 0) + p(i|C) Σ_j min(r(v, j), δ)) / |v|
    jelinek_mercer: (1 − λ) r/|v| + λ p(i|C)
    dirichlet:      (r + µ p(i|C)) / (|v| + µ)
    """
    length = ratings.sums(ratings.values)
    rated = length > 0
    below = np.where(rated, length, 1.0)
    if smoothing == "absolute":
        seen = np.maximum(ratings.values - amount, 0) / per_row(ratings, below)
        rest = ratings.sums(np.minimum(ratings.values, amount)) / below
    elif smoothing == "jelinek_mercer":
        seen = (1 - amount) * ratings.values / per_row(ratings, below)
        rest = np.full(len(length), amount)
    else:
        seen = ratings.values / per_row(ratings, length + amount)
        rest = amount / (length + amount)
    totals = np.bincount(ratings.indices, ratings.values, n_items)
    common = totals / totals.sum() if totals.sum() > 0 else np.zeros(n_items)
    rest = np.where(rated, rest, 1.0)
    return LanguageModels(ratings.with_values(seen), frozen(rest, np.float64), frozen(common, np.float64))


def check_amount(owner: str, smoothing: Smoothing, amount: float) -> None:
    """Jelinek–Mercer mixes with a weight between 0 and 1."""
    if smoothing == "jelinek_mercer" and amount > 1:
        raise SpecError(
            "smoothing=jelinek_mercer takes the weight of the collection",
            where=f"{owner}: 'amount'",
            found=amount,
            expected="at most 1",
        )
