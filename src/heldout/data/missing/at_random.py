"""Ratings missing completely at random."""

from __future__ import annotations

import numpy as np

from heldout.data.missingness import Missingness, Nature
from heldout.tables.arrays import Float64


class AtRandom(Missingness):
    """Completely at random: every user is as likely to rate every item.

    Assumes: no real data are like that; it is what plain averages take for granted. The number of ratings is random too,
    `ratings` in expectation. A user or item without any rating is not in the data.

    Example: 3,000 ratings of 100 users and 300 items: every pair is rated with probability 0.1.
    """

    key = "at_random"
    aliases = ("mcar",)
    formula = "P(u rates i) = |R| / (|U| |I|)"
    references = ("schnabel2016",)

    def chances(self, nature: Nature) -> Float64:
        users, items = nature.shape
        return np.full(nature.shape, nature.ratings / (users * items))
