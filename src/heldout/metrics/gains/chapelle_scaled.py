"""Gain as a probability of satisfaction, scaled to 1."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.metrics.gains.exponential import ScaledGain
from heldout.tables.arrays import Bool, Float64


class ChapelleScaled(ScaledGain):
    """As `chapelle`, divided so that the highest rating gains 1.

    Assumes: the lowest rating, 1, gains 0. Cañamares et al. print the formula of `exp2` as their g2, but their published
    figures are those of this gain.

    Example: on a scale to 5, ratings 5, 4, 1 gain 15/15, 7/15, 0.
    """

    key = "chapelle_scaled"
    formula = "g = (2^(r−1) − 1) / (2^(rmax−1) − 1)"
    references = ("chapelle2009", "canamares2020")

    top: float | None = param(None, "the top of the rating scale, at most 30; none takes it from the data")

    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        top = self.scale_top(top_grade)
        if top <= 1:
            raise NotApplicableError(
                where=f"gain={self}",
                found=top,
                expected="a highest rating above 1",
                hint="use gain=binary for data without grades",
            )
        # divided by 2^(top − 1) above and below, so that no power is above 1
        return np.asarray(np.maximum(np.exp2(grade - top) - np.exp2(1 - top), 0) / (1 - np.exp2(1 - top)))
