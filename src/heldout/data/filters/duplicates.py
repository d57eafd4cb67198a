"""What repeated (user, item) pairs become."""

from __future__ import annotations

from heldout.catalogue import REQUIRED, param
from heldout.data.filter import Filter
from heldout.tables import Interactions, Keep


class Duplicates(Filter):
    """Makes one rating of repeated (user, item) pairs: the latest, the sum, the maximum, or an error.

    Assumes: `latest` takes the largest time, and the later row where times are equal or absent; `sum` adds values and
    utilities and keeps the latest time; `max` keeps the row of the highest value. It acts while the data are read: ratings
    already in one row per pair pass unchanged. The profile of what is read has its name, and says how many rows were merged.

    Example: plays (u, i, 3) and (u, i, 4) become 4, 7 or 4 under latest, sum and max.
    """

    key = "duplicates"

    keep: Keep = param(REQUIRED, "what is kept of a repeated pair")

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        return data
