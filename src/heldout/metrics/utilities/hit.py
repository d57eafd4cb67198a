"""Utility of a hit."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Utility
from heldout.tables import Relevance
from heldout.tables.arrays import Float64


class Hit(Utility):
    """Every relevant item is worth 1, any other nothing.

    Assumes: relevance is the study's rule.

    Example: under threshold(4), ratings 5, 4, 3 are worth 1, 1, 0.
    """

    key = "hit"
    by_relevance = True
    formula = "u = 1 if relevant, else 0"
    references = ("gunawardana2009",)

    def of_rows(self, relevance: Relevance, asker: object) -> Float64:
        return relevance.relevant.astype(np.float64)
