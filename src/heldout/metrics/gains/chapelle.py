"""Gain as a probability of satisfaction."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.metrics.gains.exponential import ScaledGain
from heldout.tables.arrays import Bool, Float64


class Chapelle(ScaledGain):
    """The probability that an item satisfies, as in expected reciprocal rank, for ratings that begin at 1.

    Assumes: the lowest rating, 1, gains 0, and even the highest stays below 1.

    Example: on a scale to 5, ratings 5, 4, 1 gain 15/16, 7/16, 0.
    """

    key = "chapelle"
    formula = "g = (2^(r−1) − 1) / 2^(rmax−1)"
    references = ("chapelle2009",)

    top: float | None = param(None, "the top of the rating scale, at most 30; none takes it from the data")

    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        top = self.scale_top(top_grade)
        # divided by 2^(top − 1) term by term, so that no power is above 1
        return np.asarray(np.maximum(np.exp2(grade - top) - np.exp2(1 - top), 0))
