"""The paired t test."""

from __future__ import annotations

import numpy as np

from heldout.significance.differences import checked_rows
from heldout.significance.effect import Effects, effects
from heldout.significance.significance_test import Test
from heldout.tables.arrays import Float64, Int64


class PairedT(Test):
    """Student's paired t test of the difference in means, two-sided.

    Assumes: the mean of the users' differences is nearly normal, which thousands of users bring about. Two equal columns
    give p = 1; a difference that is the same for every user and not 0 gives p = 0. Weighted, the users count as
    (Σw)² / Σw² (the effective sample size), and equal weights give the plain test.

    Example: differences 1, 2 and 3 have mean 2 and standard deviation 1: t = 2√3 = 3.464, p = 0.0742.
    """

    key = "t"
    formula = "t = d̄ / (s_d / √n), n − 1 degrees of freedom"
    references = ("student1908", "gunawardana2009", "kish1965")
    compares = "means"
    weighable = True

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Two-sided p of each pair; nothing is drawn at random."""
        return self.p_of_effects(effects(checked_rows(columns, pairs, weights), pairs, weights=weights))

    def p_of_effects(self, effects: Effects) -> Float64:
        """From the mean and the spread of the differences."""
        from scipy.special import stdtr

        mean, error = effects.moments.mean, effects.moments.error
        t = np.divide(np.abs(mean), error, out=np.full(len(mean), np.inf), where=error > 0)
        t = np.where(effects.any_difference, t, 0.0)
        p: Float64 = np.minimum(1.0, 2.0 * stdtr(effects.moments.degrees, -t))
        return p
