"""Precision."""

from __future__ import annotations

from heldout.catalogue import cutoff, param
from heldout.measure.metric import Metric
from heldout.tables import Judged
from heldout.tables.arrays import Float64


class P(Metric):
    """Precision: the share of the top n that is relevant.

    Assumes: the denominator is n even where the list is shorter. Unrated items count as not relevant.

    Example: relevant items at ranks 1 and 3 of a list: P@5 = 2/5.
    """

    key = "P"
    aliases = ("Precision", "Prec")
    formula = "P@n = |relevant in the top n| / n"
    references = ("treceval", "gunawardana2009")
    claims = ("moving a relevant item up never lowers", "bounded")
    tasks = ("some_good_items", "fixed_list")
    libraries = {
        "RecTools": "the same",
        "ranx": "the same",
        "Microsoft Recommenders": "the same",
        "lists shorter than n": "some tools divide by the list's length",
    }

    rel: float | None = param(None, "a rating from which items are relevant, instead of the study's rule")
    n: int = cutoff()

    def measure(self, judged: Judged) -> Float64:
        return judged.sum(judged.relevant(self.rel) & (judged.rank <= self.n)) / self.n
