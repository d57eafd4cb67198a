"""Utility of what is little known."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Utility
from heldout.tables import Relevance
from heldout.tables.arrays import Float64


class LogInversePopularity(Utility):
    """A relevant item is worth the more the fewer users rated it in training: the information it brings.

    Assumes: natural logarithm; an item that nobody rated counts as rated by one user; items that are not relevant are
    worth nothing.

    Example: a relevant item that 10 of 1,000 users rated is worth ln(100) = 4.605.
    """

    key = "log_inverse_popularity"
    by_relevance = True
    formula = "u = ln(|U| / n_i) if relevant, else 0"
    references = ("shani2005", "gunawardana2009")

    def of_rows(self, relevance: Relevance, asker: object) -> Float64:
        background = relevance.require_background(asker)
        share = np.maximum(background.popularity(asker), 1) / max(background.raters, 1)
        return np.where(relevance.relevant, -np.log(share)[relevance.item], 0.0)
