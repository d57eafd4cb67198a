"""The order in the file."""

from __future__ import annotations

from typing import ClassVar

from heldout.tables import Vocabulary
from heldout.tables.arrays import Int32
from heldout.targets.tie_rule import TieRule


class FileOrder(TieRule):
    """Of equal scores, the item that comes first in the user's rows of the run ranks first.

    Assumes: the order of the rows is meant, as where a system wrote its lists from first to last with rounded scores. Only
    runs have such an order: `heldout evaluate`, and `External` systems of a study. What a fallback adds is in catalogue
    order. Metrics for which equal scores are equal, such as AUC, do not change.

    Example: a run holds item 12 with 0.5 and, further down, item 7 with 0.5: 12 ranks before 7.
    """

    key = "file"
    aliases = ("given",)
    from_file: ClassVar[bool] = True

    def keys(self, items: Vocabulary) -> Int32:
        return items.catalogue_rank

    def phrase(self) -> str:
        return "items of equal score were left in the order of the run"
