"""Gain is relevance."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Gain
from heldout.tables.arrays import Bool, Float64


class Binary(Gain):
    """Relevant items gain 1, others 0.

    Assumes: relevance is the study's rule (g1 of Cañamares et al.).

    Example: under threshold(4), ratings 5, 4, 3 gain 1, 1, 0.
    """

    key = "binary"
    graded = False
    grows_with_rating = False
    formula = "g = 1 if relevant, else 0"
    references = ("canamares2020",)

    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        return relevant.astype(np.float64)
