"""What the first recommendations are worth."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.expected import chance_within
from heldout.metrics.metric import Metric, Utility
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class UtilityAt(Metric):
    """Utility: what the relevant items in the top n are worth together.

    Assumes: only items relevant under the study's rule count, each in full whatever its rank; unrated items are worth
    nothing. In the unit of the utility, so that users who spend more count for more.

    Example: relevant purchases worth 12.5 and 3 in the top 10: 15.5.
    """

    key = "Utility"
    formula = "Utility@n = Σ_{k ≤ n, rel_k} u(u, i_k)"
    references = ("gunawardana2009",)
    range = (-np.inf, np.inf)
    tasks = ("utility", "fixed_list")

    utility: Coerced[Utility, str] = param(
        "column", "what a rating is worth: column, above_neutral, log_inverse_popularity, hit"
    )
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return judged.sum(self._worth(judged), self.n)

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        return judged.sum(self._worth(judged) * chance_within(judged, self.n))

    def _worth(self, judged: Judged) -> Float64:
        """What every entry is worth."""
        worth = self.utility.of_rows(judged.relevance, self)
        return np.where(judged.relevance.relevant, worth, 0.0)[judged.row]
