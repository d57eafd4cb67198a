"""What a random ranking would score."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class Rho(Metric):
    """ρ: the expected precision of a random ranking of the same targets.

    Assumes: all targets are ranked; it depends on the protocol and the test set, not on the system. Only of runs judged
    without a training set are the items that exist not known: those of the test set and of the run itself are taken, so that
    ρ differs a little between runs.

    Example: 3 relevant items among 60 targets: ρ@10 = 0.05; among 6 targets: (6/10)·(3/6) = 0.3.
    """

    key = "Rho"
    aliases = ("ρ",)
    formula = "ρ@n = (min(n, |T_u|) / n) · |T_u ∩ PR_te(u)| / |T_u|"
    references = ("bellogin2017",)
    undefined = "the user has no targets"
    ties = "none"
    claims = ("bounded",)
    direction = "none"
    describes_pool = True

    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        targets = judged.targets.astype(np.float64)
        share = divide(judged.relevant_targets.astype(np.float64), targets)
        return share if self.n is None else np.minimum(targets, self.n) / self.n * share
