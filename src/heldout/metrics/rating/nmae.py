"""Mean absolute error as a share of the rating scale."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.metrics.rating.errors import RatingError
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class NMAE(RatingError):
    """Normalised mean absolute error: the mean absolute error divided by the width of the rating scale.

    Assumes: scores are on the rating scale; its ends are the lowest and highest rating of the data unless they are given.
    Ratings outside the given ends are refused. An error can be wider than the scale, so values above 1 are possible.

    Example: errors 1 and −2 on a scale of 1 to 5: 1.5 / 4 = 0.375.
    """

    key = "NMAE"
    formula = "NMAE = MAE / (r_max − r_min)"
    references = ("goldberg2001", "gunawardana2009")

    low: float | None = param(None, "the bottom of the rating scale; none takes it from the data")
    high: float | None = param(None, "the top of the rating scale; none takes it from the data")

    def loss(self, error: Float64) -> Float64:
        return np.abs(error)

    def measure(self, judged: Judged) -> Float64:
        return super().measure(judged) / self._width(judged)

    def _width(self, judged: Judged) -> float:
        relevance = judged.relevance
        lowest = relevance.background.lowest if relevance.background is not None else None
        if lowest is None:
            lowest = float(relevance.grade.min(initial=np.inf))
        highest = relevance.top_grade
        low = lowest if self.low is None else self.low
        high = highest if self.high is None else self.high
        if lowest < low or highest > high:
            raise NotApplicableError(
                f"{self}: a rating is outside the scale",
                where="metrics",
                found=float(lowest if lowest < low else highest),
                expected=f"ratings from {low:g} to {high:g}",
                hint=f"write NMAE({lowest:g}, {highest:g}), or NMAE to take the scale from the data",
            )
        width = high - low
        if not width > 0:
            raise NotApplicableError(
                "the rating scale has no width", where=str(self), found=float(low), hint="give its ends: NMAE(1, 5)"
            )
        return width
