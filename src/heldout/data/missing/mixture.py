"""Ratings missing in one of two ways."""

from __future__ import annotations

from heldout.catalogue import Coerced, param
from heldout.data.missingness import Missingness, Nature
from heldout.tables.arrays import Float64


class Mixture(Missingness):
    """Each pair is observed in one of two ways, which is drawn: a share of the chances of one, the rest of the other.

    Assumes: pairs are drawn one by one with the mixed chance. Either way may be a mixture itself. What a recommender showed
    is taken from a history of its own, so that propensities are exact here even with by_recommender.

    Example: mixture(at_random, by_value(slope=1), share=0.25) has a quarter of its ratings completely at random.
    """

    key = "mixture"
    formula = "P(u rates i) = share × P_first(u, i) + (1 − share) × P_second(u, i)"

    first: Coerced[Missingness, str] = param("at_random", "one way")
    second: Coerced[Missingness, str] = param("by_popularity", "the other way")
    share: float = param(0.5, "how much the first way counts for", above=0, below=1)

    def chances(self, nature: Nature) -> Float64:
        return self.share * self.first.chances(nature) + (1 - self.share) * self.second.chances(nature)
