"""The F measure."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.metrics.expected import expected_hits
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class F(Metric):
    """F: the weighted harmonic mean of precision and recall.

    Assumes: with a cut-off, precision divides by n even where the list is shorter; without one, by the list's length.
    `beta` says how many times as much recall counts. A list without a hit scores 0.

    Example: R = 4, 2 hits in the top 5: P = 2/5, recall = 2/4; F@5 = 2 · 0.4 · 0.5 / 0.9 = 4/9.
    """

    key = "F"
    aliases = ("F1",)
    formula = "F@n = (1 + β²) P R / (β² P + R) = (1 + β²) hits / (β² R + n)"
    references = ("vanrijsbergen1979", "gunawardana2009", "treceval")
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items", "all_good_items")
    libraries = {"trec_eval": "set_F is F without a cut-off, its parameter β²", "ranx": "the same (f1)"}
    pooling = "sum"

    beta: float = param(1.0, "how many times as much recall counts as precision", above=0, also=("β",))
    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        hits = judged.hits(self.rel).count(self.n)
        return divide((1 + self.beta**2) * hits, self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        return divide((1 + self.beta**2) * expected_hits(judged, self.rel, self.n), self.denominator(judged))

    def denominator(self, judged: Judged) -> Float64:
        """β² R + n; 0 without a relevant item."""
        total = judged.total_relevant(self.rel)
        depth = judged.length if self.n is None else self.n
        return np.where(total > 0, self.beta**2 * total + depth, 0.0)
