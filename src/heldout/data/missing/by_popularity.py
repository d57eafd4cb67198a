"""Ratings missing by popularity and taste."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import param
from heldout.data.exposure import meetings
from heldout.data.missingness import Missingness, Nature, Observed
from heldout.tables.arrays import Float64


class ByPopularity(Missingness):
    """Popular items are rated more, and users rate what meets their taste.

    Assumes: popularity, activity and pull are those of `simulate`. With `counts=exact` each item has exactly its number of
    ratings: the propensities are exact for the draw as a whole, but given one part of the ratings, such as a training set,
    those of the rest are not, since the more of an item's ratings are in it, the fewer are left. With `counts=expected`
    every pair is drawn by itself, and propensities are exact given any part. Shares of levels are those of observed ratings.

    Example: pull = 0: an item with twice the ratings is twice as likely to be rated by any user.
    """

    key = "by_popularity"
    prior_of = "observed"
    formula = "P(u rates i) = min(1, λ_i a_u exp(pull × taste · genre)),  Σ_u P = |R(i)|"
    references = ("bellogin2017", "madow1949")

    counts: Literal["exact", "expected"] = param("exact", "whether an item has just its number of ratings, or on average")

    def check_size(self, users: int, items: int) -> None:
        """Exact counts are drawn item by item, whatever their number."""
        if self.counts == "expected":
            super().check_size(users, items)

    def chances(self, nature: Nature) -> Float64:
        return self._meetings(nature).observation.propensity(np.arange(nature.shape[0]))

    def observe(self, nature: Nature) -> Observed:
        return self._meetings(nature) if self.counts == "exact" else super().observe(nature)

    def _meetings(self, nature: Nature) -> Observed:
        of = nature.opinions
        met = meetings(of.seed, of.taste, of.genre, nature.activity, nature.counts, nature.pull)
        return Observed(user=met.user, item=met.item, observation=met.observation)
