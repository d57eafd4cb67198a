"""Popularity fallback: uncomputed items by number of training ratings."""

from __future__ import annotations

from heldout.recommenders.baseline.popularity import popularity
from heldout.recommenders.fallback import Fallback
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


class PopularityFallback(Fallback):
    """Appends the items that the recommender could not score, those with most training ratings first.

    Assumes: items of equal popularity are ordered by the tie rule.

    Example: of targets a, b, c with scores 0.5, NaN, NaN and 9, 2, 7 training ratings the list is a, c, b.
    """

    key = "popularity"
    references = ("canamares2020",)

    def order(self, train: Interactions, *, seed: int) -> Float64 | None:
        """The number of training ratings of each item."""
        return popularity(train)

    def phrase(self) -> str:
        return "items that a system could not score followed the scored ones, the most rated first"
