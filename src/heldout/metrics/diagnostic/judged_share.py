"""How much of a list can be judged."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class JudgedShare(Metric):
    """Judged: the share of the top n that has a test rating; one minus Unrated.

    Assumes: the denominator is the length of the list where that is below n.

    Example: two of the first ten items have a test rating: Judged@10 = 0.2.
    """

    key = "Judged"
    formula = "Judged@n = |rated in the top n| / min(n, |L_u|)"
    references = ("macavaney2022", "valcarce2018")
    divides = "min(n, the list's length)"
    short_lists = "divided by the list's length"
    undefined = "the list is empty"
    claims = ("bounded",)
    direction = "none"
    libraries = {"ir_measures": "the same (Judged)"}

    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        length = judged.length.astype(np.float64)
        rated = judged.sum(np.ones(len(judged.rank)), self.n)
        return divide(rated, length if self.n is None else np.minimum(length, self.n))
