"""Gain is the rating."""

from __future__ import annotations

from heldout.metrics.metric import Gain
from heldout.tables import Relevance
from heldout.tables.arrays import Bool, Float64


class Linear(Gain):
    """The gain is the rating itself, as in trec_eval.

    Assumes: ratings are at least 0 and a rating of 4 is worth four of 1; a low rating still gains more than an unrated item.

    Example: ratings 5, 3, 1 gain 5, 3, 1.
    """

    key = "linear"
    formula = "g = r"
    references = ("jarvelin2002", "treceval", "valcarce2018")
    bounded = False

    def rows(self, relevance: Relevance, rel: float | None) -> Float64:
        """The ratings themselves."""
        return relevance.grade

    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        return grade
