"""How often the order was for the tie rule to decide."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Bool, Float64


def within(judged: Judged, n: int | None) -> Bool:
    """Entries of rank at most n; all of them without a cut-off."""
    return np.ones(len(judged.rank), dtype=bool) if n is None else judged.rank <= n


class Tied(Metric):
    """Tied: the share of the rated items met in the top n whose score some other target has too.

    Assumes: where it is only told of beside another metric, ties are counted for some of the users and the others are left
    undefined; named among the metrics, it is counted for all.

    Example: of two rated items in the top 10, one shares its score with an unrated item: Tied@10 = 0.5.
    """

    key = "Tied"
    formula = "Tied@n = |{rated k ≤ n : another target has the same score}| / |{rated k ≤ n}|"
    references = ("mcsherry2008",)
    undefined = "no rated item is met in the top n, or ties were not counted"
    claims = ("bounded",)
    direction = "none"
    needs_ties = True

    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        inside = within(judged, self.n)
        shared = divide(judged.sum(inside & (judged.tied > 0)), judged.sum(inside))
        unknown = judged.sum(judged.tied < 0) > 0
        return np.where(unknown, np.nan, shared)
