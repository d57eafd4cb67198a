"""Risk against what all compared systems together lead one to expect."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.aggregations.aggregation import OfAllSystems
from heldout.aggregations.risk import chi_square_risk
from heldout.aggregations.values import UserValues
from heldout.catalogue import param


class ZRisk(OfAllSystems):
    """How far a system's users fall above or below what its own mean and their difficulty lead one to expect, in sum.

    Formula: e_su = S_s T_u / N from the sums over a system's users, a user's systems and all; z = (x − e) / √e;
    Z_s = Σ_{z>0} z + (1 + α) Σ_{z<0} z.

    Assumes: values of at least 0, higher being better, over the users that every system is averaged on. It depends on which
    systems are compared, and speaks of risk alone: a poor system with even results scores well (see `georisk`). No test
    answers for it.

    Example: A has 3 and 1, B has 1 and 3: every e is 2, A's z are 0.707 and −0.707, Z = 0.707 − 2 · 0.707 = −0.707 at α = 1.
    """

    key = "zrisk"
    formula = "Σ_{z>0} z + (1+α) Σ_{z<0} z, z = (x − e) / √e, e = S_s T_u / N"
    references = ("dincer2016",)
    compared_by = ()
    alpha: float = param(1.0, "how much more a shortfall weighs than an excess", least=0.0, also=("α",))

    def prepare(self, user_values: UserValues) -> UserValues:
        """Z of every system beside the values."""
        z, _, users = chi_square_risk(user_values, self.alpha, self)
        return replace(user_values, included=np.tile(users, (len(z), 1)), totals=z)
