"""What the two LM-WSR recommenders share: neighbours by query likelihood and their weights."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.recommenders import matrix
from heldout.recommenders.knn.neighbourhood import nearest, per_row
from heldout.recommenders.matrix import Rows
from heldout.recommenders.ranges import Ranges, among, between
from heldout.tables.arrays import Float64

Weight = Literal["per_rating", "likelihood", "log_likelihood", "none"]

RANGES: Ranges = {
    "k": between(20, 800, log=True),
    "mu": between(100.0, 1e6, log=True),
    "weight": among("per_rating", "log_likelihood"),
    "q": between(0.25, 8.0, log=True),
}
"""Where to look for the parameters of either version: the published text leaves all of them open."""


def weighted_neighbours(rows: Rows, columns: Rows, *, k: int, mu: float, weight: Weight, q: float) -> Rows:
    """The k most likely rows of each row and their weights: what `weight` makes of the likelihood, to the power q."""
    neighbours = nearest(rows, columns, k=k, similarity="query_likelihood", mu=mu)
    draws = per_row(neighbours, rows.sums(rows.values))
    best: Float64 = np.ones(len(neighbours.counts))
    some = neighbours.counts > 0
    best[some] = neighbours.values[neighbours.indptr[:-1][some]]
    relative = neighbours.values / per_row(neighbours, best)
    if weight == "log_likelihood":
        weights = np.maximum(np.log(neighbours.values) * draws, 0)
    elif weight == "likelihood":
        weights = relative**draws
    else:
        weights = relative if weight == "per_rating" else np.ones(len(relative))
    kept = weights > 0  # a weight of 0 is that of no neighbour: kept, it would make scores of 0
    counts = np.bincount(
        np.repeat(np.arange(len(neighbours.counts)), neighbours.counts)[kept], minlength=len(neighbours.counts)
    )
    ends = np.concatenate([[0], np.cumsum(counts)])
    return matrix.rows(ends, neighbours.indices[kept], weights[kept] ** q)
