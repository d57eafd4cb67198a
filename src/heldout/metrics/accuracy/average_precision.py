"""Average precision."""

from __future__ import annotations

from heldout.catalogue import cutoff, param
from heldout.metrics.expected import expected_precision_sum
from heldout.metrics.metric import Metric
from heldout.tables import Judged, Running, divide
from heldout.tables.arrays import Float64


class AP(Metric):
    """Average precision: the precision at each relevant item's rank, averaged over all relevant test items.

    Assumes: the denominator is R also with a cut-off, as trec_eval's map_cut; relevant items beyond n or unranked add 0.

    Example: R = 3, relevant items at ranks 1 and 4: AP = (1/1 + 2/4) / 3 = 0.5.
    """

    key = "AP"
    inferred_by = "infAP"
    aliases = ("MAP",)
    formula = "AP@n = (1/R) Σ_{k ≤ n, rel_k} P@k"
    references = ("treceval", "valcarce2018")
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1 without a cut-off")
    tasks = ("some_good_items", "all_good_items")
    libraries = {
        "RecTools": "the same",
        "Microsoft Recommenders": "the same (map); map_at_k divides by min(n, R): APCapped",
        "RecBole": "divides by min(n, R): APCapped",
        "LensKit": "divides by R, or by the number of items listed down to n if that is smaller: APCapped for full lists",
        "ranx": "the same",
        "implicit": "divides by min(n, R): APCapped",
        "trec_eval": "the same (map, map_cut)",
    }
    pooling = "sum"
    additive = True

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return divide(precision_at_hits(judged, self.rel).upto(self.n), judged.total_relevant(self.rel))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        return divide(expected_precision_sum(judged, self.rel, self.n), judged.total_relevant(self.rel))

    def denominator(self, judged: Judged) -> Float64:
        """R."""
        return judged.total_relevant(self.rel)


def precision_at_hits(judged: Judged, rel: float | None) -> Running:
    """Sums of P@k at the ranks k of hits, worked out once for all depths."""

    def compute() -> Running:
        hits = judged.hits(rel)
        return hits.running(hits.met / hits.rank)

    return judged.once(("precision at hits", rel), compute)
