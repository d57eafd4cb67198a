"""What repeated (user, item) pairs become."""

from __future__ import annotations

from heldout.catalogue import REQUIRED, param
from heldout.data.filter import Filter
from heldout.tables import Interactions, Keep, MergedTime


class Duplicates(Filter):
    """Makes one rating of repeated (user, item) pairs: the latest, the sum, the maximum, or an error.

    Assumes: `latest` takes the largest time, and the later row where times are equal or absent; `sum` adds values and
    utilities; `max` keeps the value of the highest row. The pair carries the time of its first row under `sum` and `max`,
    of its latest under `latest`, unless `time` says otherwise. A split by time follows that time. By the first, whoever
    had met an item before the cut has it in train and is not tested on it, but its value in train holds later rows too:
    `binarise` takes that away. By the latest, such pairs leave train and are tested as if they were new. HO512 counts
    the pairs that have rows on both sides of the cut. The filter acts while the data are read: ratings
    already in one row per pair pass unchanged. The profile of what is read has its name, and says how many rows were merged.

    Example: plays (u, i, 3) and (u, i, 4) become 4, 7 or 4 under latest, sum and max.
    """

    key = "duplicates"

    keep: Keep = param(REQUIRED, "what is kept of a repeated pair")
    time: MergedTime | None = param(
        None, "which row's time the pair carries; none: the latest's under latest, else the first's"
    )

    @property
    def merging(self) -> tuple[Keep, MergedTime | None]:
        return self.keep, self.time

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        return data

    def phrase(self) -> str:
        at = f", at the time of the {self.time}" if self.time else ""
        return f"made one rating of repeated pairs of user and item ({self.keep}{at})"
