"""Utilities as ratings above the neutral one."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.errors import NotApplicableError
from heldout.metrics.metric import Utility
from heldout.tables import Relevance
from heldout.tables.arrays import Float64


class AboveNeutral(Utility):
    """How far a rating is above the neutral one; nothing for those below.

    Assumes: the neutral rating is the middle of the scale unless it is given.

    Example: neutral 3: ratings 5, 4, 3, 1 are worth 2, 1, 0, 0.
    """

    key = "above_neutral"
    formula = "u = max(r − neutral, 0)"
    references = ("breese1998",)

    neutral: float | None = param(None, "the rating that says neither yes nor no; none: the middle of the scale")

    def of_rows(self, relevance: Relevance, asker: object) -> Float64:
        neutral = self.neutral
        if neutral is None:
            lowest = relevance.background.lowest if relevance.background is not None else None
            low = lowest if lowest is not None else float(relevance.grade.min(initial=relevance.top_grade))
            if low == relevance.top_grade:
                raise NotApplicableError(
                    "all ratings are equal, so none is above a neutral one",
                    where=str(asker),
                    found=float(low),
                    hint="use utility=hit, or name the neutral rating: utility=above_neutral(0)",
                )
            neutral = (low + relevance.top_grade) / 2
        return np.maximum(relevance.grade - neutral, 0.0)
