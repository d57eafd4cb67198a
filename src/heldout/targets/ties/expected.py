"""The mean over all orders of equal scores."""

from __future__ import annotations

import numpy as np

from heldout.catalogue.prose import cite
from heldout.tables import Vocabulary
from heldout.tables.arrays import Int32
from heldout.targets.tie_rule import TieRule


class Expected(TieRule):
    """Values are means over all orders of the tied items, in closed form.

    Assumes: every order is equally likely. Exact for P, Recall, HitRate, RR, AP, DCG, nDCG, RBP, half-life utility and
    stratified recall; metrics without a closed form refuse. What diagnostics show is of catalogue order.

    Example: one relevant and one other item tie for the first place: P@1 is 1/2, RR is (1 + 1/2) / 2 = 3/4.
    """

    key = "expected"
    references = ("mcsherry2008",)
    expects = True
    counts = True

    def keys(self, items: Vocabulary) -> Int32:
        return np.arange(len(items), dtype=np.int32)

    def phrase(self) -> str:
        return f"values are expectations over all orders of items of equal score{cite(('mcsherry2008',))}"
