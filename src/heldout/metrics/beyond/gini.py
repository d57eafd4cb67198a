"""How unequally items are recommended."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.beyond.tops import OfItemCounts
from heldout.tables.arrays import Int64


class Gini(OfItemCounts):
    """Gini: how unequally recommendations fall on the items of the catalogue; 0 is all alike, 1 all on one.

    Assumes: one value for a system; items that are never recommended count too.

    Example: 4 items recommended 0, 0, 1 and 3 times: 2 · (3 · 1 + 4 · 3)/(4 · 4) − 5/4 = 0.625.
    """

    key = "Gini"
    by_relevance = "never"
    descriptive = True
    formula = "2 Σ_k k c_k / (|I| Σ c) − (|I| + 1)/|I|, c ascending"
    references = ("bellogin2017", "ge2010")
    direction = "lower"
    undefined = "nothing is recommended"
    claims = ("bounded",)

    n: int = cutoff()

    def of_counts(self, counts: Int64) -> float:
        ordered = np.sort(counts)
        size, total = len(ordered), int(ordered.sum())
        if not total:
            return float("nan")
        return 2 * float(np.arange(1, size + 1) @ ordered) / (size * total) - (size + 1) / size
