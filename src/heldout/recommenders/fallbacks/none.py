"""No fallback: lists hold only what the recommender scored."""

from __future__ import annotations

from heldout.recommenders.fallback import Fallback
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


class NoFallback(Fallback):
    """Leaves out the items that the recommender could not score.

    Assumes: a list may then be shorter than the cut-off, or empty; how that counts is a choice of its own (coverage).

    Example: of targets a, b, c with scores 0.5, NaN, 0.9 the list is c, a.
    """

    key = "none"
    fills = False
    references = ("canamares2020",)

    def order(self, train: Interactions, *, seed: int) -> Float64 | None:
        """None: nothing is appended."""
        return None

    def phrase(self) -> str:
        return "items that a system could not score were left out of its lists"
