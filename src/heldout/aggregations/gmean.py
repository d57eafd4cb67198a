"""The geometric mean over users, shifted so that zeros are allowed."""

from __future__ import annotations

import numpy as np

from heldout.aggregations.aggregation import Aggregation, mean_of
from heldout.catalogue import param
from heldout.catalogue.prose import cite
from heldout.errors import NotApplicableError
from heldout.tables.arrays import Float64


class GeometricMean(Aggregation):
    """The geometric mean over users of x + ε, less ε: gains of badly served users count for more.

    Assumes: values above −ε; ε decides how much a zero weighs, so report it. Tests and intervals work on ln(x+ε).

    Example: with ε = 0.01, users at 0 and 0.99 give √(0.01 · 1) − 0.01 = 0.09, where the mean gives 0.495.
    """

    key = "gmean"
    formula = "exp((1/n) Σ_u ln(x_u + ε)) − ε"
    references = ("robertson2006",)
    compared_by = ("means", "ranks")
    weighable = True
    is_mean = True
    by_user = True

    epsilon: float = param(0.01, "what is added before the logarithm and taken off after", above=0.0, also=("ε", "eps"))

    def aggregate(self, values: Float64, weights: Float64 | None = None) -> Float64:
        """The shifted geometric mean of each column."""
        return self.inverse(mean_of(self.transform(values), weights))

    def transform(self, values: Float64) -> Float64:
        """ln(x + ε)."""
        if np.any(values <= -self.epsilon):
            raise NotApplicableError(
                f"takes the logarithm of value + {self.epsilon:g}",
                where=str(self),
                found=float(np.nanmin(values)),
                expected=f"values above {-self.epsilon:g}",
                hint="use mean or median for a metric that can be negative",
            )
        logarithm: Float64 = np.log(values + self.epsilon)
        return logarithm

    def inverse(self, values: Float64) -> Float64:
        """exp(y) − ε."""
        back: Float64 = np.exp(values) - self.epsilon
        return back

    def phrase(self) -> str:
        return f"the geometric mean over users{cite(('robertson2006',))}"
