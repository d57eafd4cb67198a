"""Equal scores in an order drawn for each user."""

from __future__ import annotations

import numpy as np

from heldout import rng
from heldout.catalogue import param
from heldout.tables import Vocabulary
from heldout.tables.arrays import Int32
from heldout.targets.tie_rule import TieRule


class RandomTies(TieRule):
    """Equal scores stand in an order drawn at random for each user, the same for all systems.

    Assumes: one order is drawn, not an average over orders; another seed gives other values. `expected` has no such noise.

    Example: items 7 and 12 both score 0.5: 7 ranks first for about half of the users.
    """

    key = "random"
    references = ("mcsherry2008",)
    counts = True

    seed: int = param(1, "fixes the orders; another seed gives others", least=0, most=2**63 - 1)

    def draws(self, fold: int) -> int:
        return rng.key(self.seed, "ties", fold) | 1

    def keys(self, items: Vocabulary) -> Int32:
        return np.arange(len(items), dtype=np.int32)

    def phrase(self) -> str:
        return "items of equal score were put in random order"
