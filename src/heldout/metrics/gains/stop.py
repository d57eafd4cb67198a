"""Gain as a probability of stopping."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.metrics.gains.exponential import ScaledGain
from heldout.tables.arrays import Bool, Float64


class Stop(ScaledGain):
    """The probability that a user stops at an item, as expected reciprocal rank has it for grades that begin at 0.

    Assumes: even the highest grade stays below 1. On a scale that begins at 1, the lowest rating gains something;
    `chapelle` begins at 1.

    Example: on a scale to 4, grades 4, 1, 0 gain 15/16, 1/16, 0.
    """

    key = "stop"
    exponential = False  # its gain of ratings that are all alike is not that of binary
    word = "exponential"
    formula = "g = (2^r − 1) / 2^rmax"
    references = ("chapelle2009",)

    top: float | None = param(None, "the top of the rating scale, at most 30; none takes it from the data")

    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        top = self.scale_top(top_grade)
        # divided by 2^top term by term, so that no power is above 1
        return np.asarray(np.exp2(grade - top) - np.exp2(-top))
