"""Ratings missing by their value."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import param
from heldout.data.missingness import Missingness, Nature, scaled_chances
from heldout.tables.arrays import Float64


class ByValue(Missingness):
    """Not at random: the higher the rating would be, the more likely it is given.

    Assumes: the rating itself decides, so that nothing known of user and item alone makes up for it: propensities by item
    stay wrong. With `popularity` above 0 popular items are rated more besides. λ is such that ratings are `ratings` in
    expectation. A negative slope has users rate what they dislike.

    Example: slope = 0.7: each step of the rating doubles the chance, since e^0.7 = 2.01.
    """

    key = "by_value"
    aliases = ("mnar",)
    formula = "P(u rates i) = min(1, λ exp(slope × r(u, i)) |R(i)|^popularity)"
    references = ("schnabel2016",)

    slope: float = param(0.7, "how much more likely a rating one higher is: its logarithm", least=-10, most=10)
    popularity: float = param(0.0, "the power of an item's number of ratings that multiplies", least=0, most=5)

    def chances(self, nature: Nature) -> Float64:
        grades = nature.grades
        weight = np.exp(self.slope * (grades - grades.max()))
        return scaled_chances(weight * (nature.counts / nature.counts.max()) ** self.popularity, nature.ratings)
