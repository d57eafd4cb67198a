"""How little known recommendations are."""

from __future__ import annotations

from typing import Literal

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.beyond.tops import top_items
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class Novelty(Metric):
    """Novelty: how little known the items of the top n are, in bits.

    Assumes: an item is known as well as training ratings show; one without any counts as rated once. Lists shorter than
    n are averaged over what they hold. Whether an item is any good does not matter.

    Example: of 8 users, 4 and 1 rated the two items of a list: (log2(8/4) + log2(8/1)) / 2 = 2.
    """

    key = "Novelty"
    by_relevance = "never"
    descriptive = True
    formula = "(1/|top_n|) Σ_i −log2(n_i / |U|);  share=ratings: n_i / Σ_j n_j"
    references = ("zhou2010", "vargas2011")
    divides = "the items of the top n"
    short_lists = "averaged over what the list holds"
    range = (0.0, np.inf)
    undefined = "the list is empty"
    needs_lists = True

    share: Literal["users", "ratings"] = param("users", "what popularity is a share of")
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        tops = top_items(judged, self.n, self)
        return divide(tops.sum(surprise(judged, self, self.share)), tops.sizes.astype(np.float64))


def surprise(judged: Judged, asker: object, share: str) -> Float64:
    """−log2 of every item's share of training users or ratings."""
    background = judged.relevance.require_background(asker)
    counts = background.popularity(asker)
    whole = max(background.raters, 1) if share == "users" else max(int(counts.sum()), 1)
    return np.asarray(-np.log2(np.maximum(counts, 1) / whole))
