"""The paired t test."""

from __future__ import annotations

import numpy as np

from heldout.aggregate.moments import moments
from heldout.compare.differences import checked_rows, differences
from heldout.compare.test import Test
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
        from scipy.special import stdtr

        rows = checked_rows(columns, pairs, weights)
        p = np.ones(len(pairs))
        for part, d in differences(rows, pairs):
            found = moments(d, weights)
            t = np.divide(np.abs(found.mean), found.error, out=np.full(len(d), np.inf), where=found.error > 0)
            t[~d.any(axis=1)] = 0.0
            p[part] = np.minimum(1.0, 2.0 * stdtr(found.degrees, -t))
        return p
