"""How much of the asked depth a list fills, by whatever means."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class Filled(Metric):
    """Filled: the share of the first n places that the list fills, fallback items included.

    Assumes: without a fallback it equals Coverage; the difference of the two is what the fallback added.

    Example: a list of 4 items that a fallback made 10: Coverage@10 = 0.4, Filled@10 = 1.
    """

    key = "Filled"
    formula = "Filled@n = Σ_u min(n, |L_u|) / (n |U|), L_u with its fallback items"
    references = ("canamares2020",)
    claims = ("bounded",)
    ties = "none"
    direction = "none"

    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        return np.minimum(judged.length, self.n) / self.n
