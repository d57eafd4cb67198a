"""How evenly items are recommended."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff
from heldout.metrics.beyond.tops import OfItemCounts
from heldout.tables.arrays import Int64


class Entropy(OfItemCounts):
    """Entropy: how many bits it takes to say which item a recommendation is; 0 if it is always the same.

    Assumes: one value for a system; at most the binary logarithm of the size of the catalogue.

    Example: 2 items recommended 2 and 2 times: 1 bit; 3 and 1 times: 0.8113 bits.
    """

    key = "Entropy"
    by_relevance = "never"
    descriptive = True
    formula = "−Σ_i p_i log2 p_i, p_i the share of recommendations that are item i"
    references = ("shannon1948", "adomavicius2012")
    range = (0.0, np.inf)
    undefined = "nothing is recommended"

    n: int = cutoff()

    def of_counts(self, counts: Int64) -> float:
        if not counts.any():
            return float("nan")
        share = counts[counts > 0] / counts.sum()
        return max(float(-(share @ np.log2(share))), 0.0)
