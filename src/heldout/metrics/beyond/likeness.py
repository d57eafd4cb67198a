"""What makes two items alike: the users who rated them, or the features they have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.tables import Relevance
from heldout.tables.arrays import Float64, Int64, Ints
from heldout.tables.memo import once


@dataclass(frozen=True, eq=False)
class Likeness:
    """One sparse row for every item; items are as alike as the cosine of their rows."""

    indptr: Int64
    column: Ints
    value: Float64
    norm: Float64


def likeness(relevance: Relevance, features: str | None, table: str | None, asker: object) -> Likeness:
    """By a column of features of the data set's items or of a table, or by training ratings where none is named."""

    def compute() -> Likeness:
        background = relevance.require_background(asker)
        if features is not None:
            of_items = background.features(features, table, asker)
            indptr, column = of_items.indptr, _ascending(of_items.indptr, of_items.feature)
            value = np.ones(len(column))
        else:
            train = background.known_train(asker)
            indptr, rows = train.by_item
            column, value = train.user[rows], train.value[rows]
        owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        norm = np.sqrt(np.bincount(owner, value * value, len(indptr) - 1))
        return Likeness(indptr, column, np.ascontiguousarray(value), norm)

    return once(relevance, ("likeness", features, table), compute)


def _ascending(indptr: Int64, column: Ints) -> Ints:
    owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return np.asarray(column[np.lexsort((column, owner))])
