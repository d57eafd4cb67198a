"""How much of the catalogue is ever recommended."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.beyond.tops import OfItemCounts
from heldout.tables.arrays import Int64


class ItemCoverage(OfItemCounts):
    """Item coverage: the share of the catalogue that is in the top n of some tested user.

    Assumes: one value for a system, which grows with the number of tested users; no test of users can be made on it.

    Example: 3 users, top 2 lists {1, 2}, {1, 3}, {1, 2} of a catalogue of 6: 3/6.
    """

    key = "ItemCoverage"
    by_relevance = "never"
    descriptive = True
    aliases = ("CatalogueCoverage",)
    formula = "|∪_u top_n(u)| / |I|"
    references = ("ge2010", "herlocker2004")
    divides = "the items of the catalogue"
    claims = ("bounded",)

    n: int = cutoff()

    def of_counts(self, counts: Int64) -> float:
        return np.count_nonzero(counts) / len(counts)
