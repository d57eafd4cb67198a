"""How much of the asked depth a system fills."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class Coverage(Metric):
    """Coverage: the share of the first n places that the list fills, counting only what the system itself scored.

    Assumes: fallback items are not the system's own; Coverage@1 is the share of users with any recommendation. Every user
    has n places: where fewer items compete, as under TestRatings, no system fills them all, and systems are to be compared
    with one another, not with 1.

    Example: lists of 10, 4 and 0 items: Coverage@10 = (10 + 4 + 0) / 30.
    """

    key = "Coverage"
    formula = "Coverage@n = Σ_u min(n, |L_u|) / (n |U|)"
    references = ("canamares2020",)
    claims = ("bounded",)
    ties = "none"
    direction = "none"

    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        return np.minimum(judged.computed, self.n) / self.n
