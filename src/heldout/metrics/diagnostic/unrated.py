"""How much of a list nobody can judge."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class Unrated(Metric):
    """Unrated: the share of the top n that the user did not rate in test.

    Assumes: the denominator is the length of the list where that is below n.

    Example: two of the first ten items have a test rating: Unrated@10 = 0.8.
    """

    key = "Unrated"
    formula = "Unrated@n = 1 − |rated in the top n| / min(n, |L_u|)"
    references = ("canamares2020",)
    divides = "min(n, the list's length)"
    short_lists = "divided by the list's length"
    undefined = "the list is empty"
    claims = ("bounded",)
    direction = "none"

    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        rated = judged.sum(judged.rank <= self.n)
        return 1 - divide(rated, np.minimum(judged.length, self.n).astype(np.float64))
