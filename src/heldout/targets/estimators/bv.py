"""Bias against variance."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.tables.arrays import Float64
from heldout.targets.target import Estimator


class BV(Estimator):
    """Values of sampled ranks that trade the bias of the corrected metric for its variance.

    Assumes: every rank among all items is equally likely beforehand. A small γ leaves little bias and much variance; values
    may leave the metric's range. Where relevant items' ranks fall off smoothly, γ = 0.1 left at most 13 % of the bias with
    99 of 1,700 items sampled; where an eighth of them stood at rank 1, which a sample tells badly from the next, up to 39 %,
    and γ = 0.01 half of that.

    Example: where all items are sampled the sampled rank is the rank, and every value stays as it is, whatever γ.
    """

    key = "bv"
    formula = "min_f̂ Σ_r p(r) [ (E[f̂(r̃) | r] − f(r))² + γ Var(f̂(r̃) | r) ]"
    references = ("krichene2020",)

    gamma: float = param(0.1, "what variance counts for, against squared bias", above=0, most=1, also=("γ",))

    def values(self, squares: Float64, cross: Float64, mean: Float64, first: float) -> Float64:
        solved: Float64 = np.linalg.solve((1 - self.gamma) * squares + self.gamma * np.diag(mean), cross).astype(np.float64)
        return solved
