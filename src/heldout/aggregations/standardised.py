"""Scores in units of how reference systems spread on the same user."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.aggregations.aggregation import OfAllSystems
from heldout.aggregations.mean import PLAIN
from heldout.aggregations.values import UserValues
from heldout.catalogue import Coerced, param
from heldout.errors import NotApplicableError


class Standardised(OfAllSystems):
    """The mean over users of values standardised by reference systems: each user is as hard and as telling as any other.

    Formula: Φ((x_u − m_u) / s_u), m_u and s_u the mean and standard deviation (n − 1 below) of the reference systems on u.

    Assumes: at least two reference systems (all compared ones unless named). A user on whom the references do not differ
    gives 0.5 to everyone. Values depend on the references, so name them to compare studies.

    Example: references 0.2 and 0.4 on a user: m = 0.3, s = 0.1414; a system at 0.4414 has z = 1 and gets Φ(1) = 0.841.
    """

    key = "standardised"
    aliases = ("standardized",)
    formula = "(1/n) Σ_u Φ((x_u − m_u) / s_u)"
    references = ("webber2008",)
    compared_by = ("means", "ranks")
    weighable = True
    by_user = True
    systems: Coerced[tuple[str, ...], list[str]] = param((), "the reference systems; all that are compared if none is named")

    def prepare(self, user_values: UserValues) -> UserValues:
        """Standardised values; their mean is compared."""
        from scipy.special import ndtr

        rows = [user_values.row_of(name, "reference system") for name in self.systems] or list(
            range(len(user_values.systems))
        )
        if len(rows) < 2:
            raise NotApplicableError(where=str(self), found=len(rows), expected="at least 2 reference systems")
        reference = user_values.values[rows]
        spread = reference.std(axis=0, ddof=1)
        # A spread within the rounding of the values is none.
        flat = spread <= 1e-14 * np.abs(reference).max(axis=0)
        z = np.divide(
            user_values.values - reference.mean(axis=0), spread, out=np.zeros_like(user_values.values), where=~flat
        )
        return replace(user_values, values=np.where(np.isnan(user_values.values), np.nan, ndtr(z)), by=PLAIN)
