"""Recall."""

from __future__ import annotations

from heldout.catalogue import cutoff, param
from heldout.measure.depth import within
from heldout.measure.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class Recall(Metric):
    """Recall: the share of the user's relevant test items that the top n holds.

    Assumes: the denominator is R, all relevant test items of the user, also those that are no targets or that the
    system cannot score; a user with more than n relevant items cannot reach 1.

    Example: R = 4, relevant items at ranks 1 and 3: Recall@5 = 2/4.
    """

    key = "Recall"
    formula = "Recall@n = |relevant in the top n| / R"
    references = ("treceval", "gunawardana2009")
    undefined = "the user has no relevant test item (R = 0)"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1 without a cut-off")
    tasks = ("all_good_items",)
    libraries = {"LensKit": "divides by min(n, R)", "RecTools": "the same", "ranx": "the same"}

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        found = judged.sum(judged.relevant(self.rel) & within(judged, self.n))
        return divide(found, judged.total_relevant(self.rel))
