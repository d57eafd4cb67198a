"""Where the condensed ranking's first items stand in the full one."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.measure.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class FullPosition(Metric):
    """Full position: the mean rank, in the list, of its first d rated items, which head the condensed ranking.

    Assumes: only items that the system itself scored. The mean over users is of those who have d such items in every system;
    under unrated=condense it is (d + 1) / 2 and says nothing.

    Example: the first two rated items have the ranks 4 and 10: FullPosition@2 = 7.
    """

    key = "FullPosition"
    formula = "(1/d) Σ_{j ≤ d} rank of the j-th rated item"
    references = ("canamares2020",)
    undefined = "the list holds fewer than d rated items that the system scored"
    range = (1.0, float("inf"))
    direction = "none"

    n: int = cutoff(doc="d, how many of the condensed ranking's first items are looked up")

    def measure(self, judged: Judged) -> Float64:
        scored = np.ones(len(judged.rank), bool) if judged.score is None else ~np.isnan(judged.score)
        place = np.arange(len(judged.rank)) - judged.indptr[judged.list_of]
        enough = judged.sum(scored & (place < self.n)) >= self.n
        total = judged.sum(np.where(place < self.n, judged.rank, 0))
        return np.where(enough, total / self.n, np.nan)
