"""Average-rating fallback: uncomputed items by mean training rating."""

from __future__ import annotations

from heldout.recommenders.baseline.average_rating import average_rating
from heldout.recommenders.fallback import Fallback
from heldout.tables import Interactions
from heldout.tables.arrays import Float64


class AverageRatingFallback(Fallback):
    """Appends the items that the recommender could not score, those with the highest mean training rating first.

    Assumes: an item without training ratings has no average (NaN) and comes last, by the tie rule.

    Example: of targets a, b, c with scores 0.5, NaN, NaN and mean ratings 1, 3, 4 the list is a, c, b.
    """

    key = "average_rating"
    references = ("canamares2020",)

    def order(self, train: Interactions, *, seed: int) -> Float64 | None:
        """The mean training rating of each item."""
        return average_rating(train)

    def phrase(self) -> str:
        return "items that a system could not score followed the scored ones by their mean rating"
