"""Mean and risk in one number: their geometric mean."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.aggregations.aggregation import OfAllSystems
from heldout.aggregations.risk import chi_square_risk
from heldout.aggregations.values import UserValues
from heldout.catalogue import param


class GeoRisk(OfAllSystems):
    """The geometric mean of a system's average and of its risk against what all compared systems lead one to expect.

    Formula: √((S_s / n) · Φ(Z_s / n)), Z_s as in `zrisk`.

    Assumes: values of at least 0, higher being better, over the users that every system is averaged on. It depends on which
    systems are compared. No test answers for it.

    Example: A has 3 and 1, B has 1 and 3, α = 1: the mean is 2, Z = −0.707, Φ(−0.354) = 0.362, √(2 · 0.362) = 0.851.
    """

    key = "georisk"
    formula = "√((S_s/n) · Φ(Z_s/n))"
    references = ("dincer2016",)
    compared_by = ()
    alpha: float = param(1.0, "how much more a shortfall weighs than an excess", least=0.0, also=("α",))

    def prepare(self, user_values: UserValues) -> UserValues:
        """The value of every system beside the users' values."""
        from scipy.special import ndtr

        z, sums, users = chi_square_risk(user_values, self.alpha, self)
        n = int(users.sum())
        return replace(user_values, included=np.tile(users, (len(z), 1)), totals=np.sqrt(sums / n * ndtr(z / n)))
