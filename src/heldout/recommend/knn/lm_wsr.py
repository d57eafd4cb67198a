"""What the two LM-WSR recommenders share: neighbours by query likelihood and their weights."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.recommend.knn.neighbourhood import nearest, per_row
from heldout.recommend.matrix import Rows
from heldout.tables.arrays import Float64

Weight = Literal["per_rating", "likelihood", "log_likelihood", "none"]


def weighted_neighbours(rows: Rows, columns: Rows, *, k: int, mu: float, weight: Weight, q: float) -> Rows:
    """The k most likely rows of each row and their weights: what `weight` makes of the likelihood, to the power q."""
    found = nearest(rows, columns, k=k, similarity="query_likelihood", mu=mu)
    draws = per_row(found, rows.sums(rows.values))
    best: Float64 = np.ones(len(found.counts))
    some = found.counts > 0
    best[some] = found.values[found.indptr[:-1][some]]
    relative = found.values / per_row(found, best)
    if weight == "log_likelihood":
        weights = np.maximum(np.log(found.values) * draws, 0)
    elif weight == "likelihood":
        weights = relative**draws
    else:
        weights = relative if weight == "per_rating" else np.ones(len(relative))
    return found.with_values(weights**q)
