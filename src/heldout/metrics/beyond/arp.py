"""How popular recommendations are."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.beyond.tops import top_items
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class ARP(Metric):
    """Average recommendation popularity: the mean number of training ratings of the items in the top n.

    Assumes: lower is better for whom popular items need no recommending; it says nothing of relevance.

    Example: items with 100 and 20 training ratings: 60.
    """

    key = "ARP"
    by_relevance = "never"
    descriptive = True
    formula = "(1/|top_n|) Σ_i n_i"
    references = ("yin2012", "abdollahpouri2019")
    divides = "the items of the top n"
    short_lists = "averaged over what the list holds"
    range = (0.0, np.inf)
    direction = "lower"
    undefined = "the list is empty"
    needs_lists = True

    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        tops = top_items(judged, self.n, self)
        popularity = judged.relevance.require_background(self).popularity(self).astype(np.float64)
        return divide(tops.sum(popularity), tops.sizes.astype(np.float64))
