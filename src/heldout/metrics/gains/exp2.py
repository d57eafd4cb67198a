"""Gain grows by powers of two."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.metrics.gains.exponential import ScaledGain
from heldout.tables.arrays import Bool, Float64


class Exp2(ScaledGain):
    """The gain doubles with each grade and reaches 1 at the top of the scale (the formula of g2 in Cañamares et al.).

    Assumes: the top of the scale is the highest rating of the data, train and test, unless a higher `top` is stated.
    A stated top below the highest rating is refused, and so are ratings above 30. The figures that Cañamares et al. publish
    under g2 are those of `chapelle_scaled`: take that to reproduce them.

    Example: on a scale to 5, ratings 5, 4, 3 gain 31/31, 15/31, 7/31.
    """

    key = "exp2"
    word = "exponential"
    formula = "g = (2^r − 1) / (2^rmax − 1)"
    references = ("canamares2020",)

    top: float | None = param(None, "the top of the rating scale, at most 30; none takes it from the data")

    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        top = self.scale_top(top_grade)
        if top <= 0:
            raise NotApplicableError(
                where=f"gain={self}", found=top, expected="a highest rating above 0", hint="use gain=binary"
            )
        # divided by 2^top above and below, so that no power is above 1
        return np.asarray((np.exp2(grade - top) - np.exp2(-top)) / (1 - np.exp2(-top)))
