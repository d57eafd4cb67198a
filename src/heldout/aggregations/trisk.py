"""Risk-sensitive utility in units of its standard error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.aggregations.aggregation import OfAllSystems
from heldout.aggregations.moments import moments
from heldout.aggregations.risk import against
from heldout.aggregations.values import UserValues
from heldout.catalogue import param
from heldout.tables.arrays import Bool, Float64


class TRisk(OfAllSystems):
    """The risk-sensitive mean gain over a baseline divided by its standard error: a t statistic of reward against risk.

    Formula: urisk(α) / (s / √n), s the standard deviation (n − 1 below) of the weighed gains.

    Assumes: as `urisk`. Values below about −2 say that the system is a risk beyond chance, above 2 that it is none. The
    baseline itself, like a system that equals it, scores 0; a system with one and the same gain for all has no value. No
    test compares two of these statistics: use `urisk` for that.

    Example: gains 0.3, −0.1 and 0.1 with α = 1 weigh 0.3, −0.2 and 0.1: mean 0.0667, s = 0.2517, 0.0667 / 0.1453 = 0.459.
    """

    key = "trisk"
    formula = "urisk(α) / (s / √n)"
    references = ("dincer2014",)
    compared_by = ()
    alpha: float = param(1.0, "how much more a loss weighs than a gain", least=0.0, also=("α",))
    baseline: str | None = param(None, "the system that gains are over; the comparison's baseline if not named")

    def prepare(self, user_values: UserValues) -> UserValues:
        """Weighed gains in place of values, and the statistic of each system."""
        gained = against(user_values, user_values.named_baseline(self.baseline, self.key), self.alpha)
        totals = np.array(
            [self._of(row[kept], gained.weights, kept) for row, kept in zip(gained.values, gained.kept, strict=True)]
        )
        return replace(gained, totals=totals)

    @staticmethod
    def _of(gains: Float64, weights: Float64 | None, kept: Bool) -> float:
        if not gains.any():
            return 0.0 if len(gains) else float("nan")
        spread = moments(gains, None if weights is None else weights[kept])
        error = float(spread.error)
        return float(spread.mean) / error if error > 1e-14 * abs(float(spread.mean)) else float("nan")
