"""Without the most popular items."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import REQUIRED, param
from heldout.catalogue.prose import share
from heldout.data.filter import Filter
from heldout.data.random_choice import wanted
from heldout.tables import Interactions


class DropHead(Filter):
    """Drops the most popular share of the items, with all their ratings.

    Assumes: popularity is the number of ratings; of equally popular items, those with lower ids go first; halves of items
    round up. The head is dropped from training too, unlike by `head` of the targets, which drops it from the test alone.

    Example: of items with 9, 5, 2 and 1 ratings `drop_head(0.25)` drops the first, and 8 ratings are left.
    """

    key = "drop_head"
    drops_popular = True
    removes = True
    formula = "R ∖ {(u, i) : i ∈ {i_1, …, i_h}}, h = ⌊s |I| + ½⌋"
    references = ("cremonesi2010", "bellogin2017")

    share: float = param(REQUIRED, "share of the items that is dropped", above=0, below=1)

    def apply(self, data: Interactions, *, seed: int) -> Interactions:
        n = wanted(self.share, data.active_items, "items")
        head = np.argsort(-data.item_counts, kind="stable")[:n]
        keep = np.ones(data.n_items, dtype=np.bool_)
        keep[head] = False
        return self.select(data, keep[data.item])

    def phrase(self) -> str:
        return f"removed the most popular {share(self.share)} of the items"
