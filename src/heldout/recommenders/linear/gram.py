"""The Gram matrix of rated items: what linear models of items are solved from."""

from __future__ import annotations

import numpy as np

from heldout import threads
from heldout.recommenders.matrix import Rows, by_item, by_user, rows
from heldout.tables import Interactions
from heldout.tables.arrays import Float64, Int32
from heldout.tables.interactions import Values

_BLOCK = 64


def rated_items(train: Interactions) -> Int32:
    """The codes of the items that somebody rated, ascending."""
    return np.flatnonzero(train.item_counts > 0).astype(np.int32)


def among_rated(train: Interactions, values: Values) -> tuple[Rows, Rows]:
    """The ratings by user and by item, with the rated items alone as columns and rows."""
    rated = train.item_counts > 0
    place = np.cumsum(rated, dtype=np.int32) - np.int32(1)
    users, columns = by_user(train, values), by_item(train, values)
    users = rows(users.indptr, place[users.indices], users.values)
    return users, rows(np.append(columns.indptr[:-1][rated], columns.indptr[-1]), columns.indices, columns.values)


def upper_gram(users: Rows, columns: Rows) -> Float64:
    """The upper half of XᵀX, X given by rows and by columns; below the diagonal 0."""
    from heldout.kernels.products import gram_upper

    n = len(columns.indptr) - 1
    gram = np.zeros((n, n))

    def work(start: int) -> None:
        gram_upper(start, min(start + _BLOCK, n), *users, *columns, gram)

    for _ in threads.run_all(work, range(0, n, _BLOCK)):
        pass
    return gram
