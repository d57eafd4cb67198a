"""How much of the catalogue is ever recommended."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.beyond.tops import top_items
from heldout.metrics.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class ItemCoverage(Metric):
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
    per_user = False
    needs_lists = True

    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        background = judged.relevance.require_background(self)
        counts = top_items(judged, self.n, self).counts(background.n_items)
        return np.full(len(judged), np.count_nonzero(counts) / background.n_items)
