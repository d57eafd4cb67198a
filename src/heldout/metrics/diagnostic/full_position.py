"""Where the condensed ranking's d-th item stands in the full one."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class FullPosition(Metric):
    """Full position: the rank, in the list, of the d-th test item that the system scored: the condensed ranking's d-th.

    Assumes: the mean is over the same users for every d: those with at least D such items in every system, D the largest d
    asked for. Under unrated=condense it is d and says nothing.

    Example: the first two rated items have the ranks 4 and 10: FullPosition@1 = 4, FullPosition@2 = 10.
    """

    key = "FullPosition"
    formula = "rank of the d-th test item that the system scored"
    references = ("canamares2020",)
    undefined = "the list holds fewer than d test items that the system scored"
    range = (1.0, float("inf"))
    direction = "none"
    same_users = True

    n: int = cutoff(doc="d, the place in the condensed ranking whose item is looked up")

    def measure(self, judged: Judged) -> Float64:
        at = judged.indptr[:-1] + self.n - 1
        enough = at < judged.indptr[1:]
        rank = np.append(judged.rank, 0)[np.where(enough, at, len(judged.rank))]
        # fallback items follow those that the system scored
        return np.where(enough & (rank <= judged.computed), rank.astype(np.float64), np.nan)
