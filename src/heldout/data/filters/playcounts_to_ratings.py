"""Play counts as ratings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.catalogue import param
from heldout.catalogue.prose import cite
from heldout.data.filter import Filter
from heldout.errors import InputError
from heldout.tables import Interactions
from heldout.tables.arrays import frozen


class PlaycountsToRatings(Filter):
    """Turns each user's play counts into ratings 1 to 5 by where they lie in the user's own distribution.

    With F̄_u(x) the share of the user's items that were played more often than x, the rating is 5 − ⌊5 F̄_u(plays)⌋: items in
    the top 80–100 % of the user's distribution are 5, those at 60–80 % are 4, and so on. That is ⌈5 F_u(plays)⌉, F_u being
    the share of items played as often or less (Vargas and Castells map plays to 5 F_u without rounding).

    Assumes: counts mean more or less of one user's interest, not of different users'; the distribution is over the items,
    not over the plays; items played equally often have equal ratings, the higher one, so that all are 5 where a user played
    all equally often.

    Example: plays 50, 20, 9, 3 and 1 become 5, 4, 3, 2 and 1; plays 7, 7 and 1 become 5, 5 and 2, since ⌊5·2/3⌋ = 3.
    """

    key = "playcounts_to_ratings"
    from_counts = True
    formula = "r(u, i) = n − ⌊n · |{j ∈ R_u : c(u, j) > c(u, i)}| / |R_u|⌋"
    references = ("celma2008", "vargas2011")

    levels: int = param(5, "ratings are 1 to this", least=2, most=1000)

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        if len(data) and data.value.min() < 0:
            raise InputError(self.key, found=float(data.value.min()), expected="counts of 0 or more")
        order = np.lexsort((-data.value, data.user))
        user, value = data.user[order], data.value[order]
        place = np.arange(len(data)) - data.user_indptr[user]
        first = np.append(True, (user[1:] != user[:-1]) | (value[1:] != value[:-1]))
        above = place[np.maximum.accumulate(np.where(first, np.arange(len(data)), 0))]
        rating = np.empty(len(data))
        rating[order] = self.levels - (self.levels * above) // data.user_counts[user]
        return replace(data, value=frozen(rating, np.float64)).compact()

    def phrase(self) -> str:
        return f"turned play counts into ratings from 1 to {self.levels}{cite(('celma2008',))}"
