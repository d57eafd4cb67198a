"""Risk-sensitive utility against a baseline."""

from __future__ import annotations

from dataclasses import replace

from heldout.aggregations.aggregation import OfAllSystems
from heldout.aggregations.mean import PLAIN
from heldout.aggregations.risk import against
from heldout.aggregations.values import UserValues
from heldout.catalogue import param


class URisk(OfAllSystems):
    """The mean gain over a baseline, users who lose by the change counting 1 + α times.

    Formula: (1/n) [Σ_{δ>0} δ_u + (1 + α) Σ_{δ<0} δ_u], δ_u = a_u − b_u (b_u − a_u where lower values are better).

    Assumes: a baseline among the systems, named here or under `compare`; it scores 0 itself. α = 0 is the plain difference
    of means. A user counts where both are averaged.

    Example: gains 0.3, −0.1 and 0.1 with α = 1: (0.3 − 0.2 + 0.1) / 3 = 0.0667, where α = 0 gives 0.1.
    """

    key = "urisk"
    formula = "(1/n) [Σ_{δ>0} δ_u + (1+α) Σ_{δ<0} δ_u]"
    references = ("wang2012", "dincer2014")
    compared_by = ("means", "ranks")
    by_user = True
    alpha: float = param(1.0, "how much more a loss weighs than a gain", least=0.0, also=("α",))
    baseline: str | None = param(None, "the system that gains are over; the comparison's baseline if not named")

    def prepare(self, user_values: UserValues) -> UserValues:
        """Weighed gains in place of values; their mean is compared."""
        gained = against(user_values, user_values.named_baseline(self.baseline, self.key), self.alpha)
        return replace(gained, by=PLAIN)
