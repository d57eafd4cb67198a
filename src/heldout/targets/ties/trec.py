"""The order of trec_eval."""

from __future__ import annotations

from heldout.tables import Vocabulary
from heldout.tables.arrays import Int32
from heldout.targets.tie_rule import TieRule


class Trec(TieRule):
    """Of equal scores, the item whose id is higher as a string of bytes ranks first, as in trec_eval.

    Assumes: scores are compared as 32-bit floats, so that scores closer than that tie.

    Example: items "7" and "12" both score 0.5: "7" ranks first, because "7" > "12" as text.
    """

    key = "trec"
    fixed_order = True
    references = ("treceval",)
    casts = True

    def keys(self, items: Vocabulary) -> Int32:
        return -items.byte_rank

    def phrase(self) -> str:
        return "items of equal score were ordered as trec_eval does, by descending identifier"
