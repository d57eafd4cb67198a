"""Catalogue order."""

from __future__ import annotations

from heldout.tables import Vocabulary
from heldout.tables.arrays import Int32
from heldout.targets.tie_rule import TieRule


class Item(TieRule):
    """Of equal scores, the item that comes first in the catalogue (the lower id) ranks first.

    Assumes: catalogue order is unrelated to relevance. The same for all systems, so no system gains by it on purpose.

    Example: items 7 and 12 both score 0.5: 7 ranks before 12.
    """

    key = "item"
    fixed_order = True
    aliases = ("catalogue",)
    references = ("canamares2020",)

    def keys(self, items: Vocabulary) -> Int32:
        return items.catalogue_rank

    def phrase(self) -> str:
        return "items of equal score were ordered by their place in the catalogue"
