"""What an estimator for sampled targets is: a value for each sampled rank that stands for the value of the full rank."""

from __future__ import annotations

from abc import abstractmethod

from heldout.catalogue import Component
from heldout.tables.arrays import Float64


class Estimator(Component, kind="estimator"):
    """Estimates, from a relevant item's rank among sampled items, the metric at its rank among all of them."""

    @abstractmethod
    def values(self, squares: Float64, cross: Float64, mean: Float64, first: float) -> Float64:
        """The corrected value of each sampled rank.

        With A[r, s] the chance of sampled rank s where the rank among all n is r, and f(r) the metric: `squares` is AᵀA / n,
        `cross` is Aᵀf / n, `mean` is the chance of each sampled rank over all r, `first` is f(1), the highest value.
        """
