"""Normalised discounted cumulative gain."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import cutoff, param
from heldout.measure.depth import within
from heldout.measure.metric import Gain, Metric
from heldout.tables import Judged, Relevance, divide
from heldout.tables.arrays import Float64, Ints


class NDCG(Metric):
    """Normalised discounted cumulative gain: gains discounted by rank, divided by those of the best possible list.

    Assumes: the ideal list holds the user's test ratings by descending gain, cut at n, whether or not they are targets;
    unrated items gain 0; negative gains are not foreseen.

    Example: gain=binary, R = 2, relevant items at ranks 1 and 3: (1/log2(2) + 1/log2(4)) / (1 + 1/log2(3)) = 0.9197.
    """

    key = "nDCG"
    formula = "nDCG@n = Σ_{k ≤ n} g_k / log2(k + 1)  ÷  the same sum over the ideal list"
    references = ("jarvelin2002", "treceval", "canamares2020")
    undefined = "the user's best possible list has gain 0"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1")
    tasks = ("some_good_items", "all_good_items", "utility")
    libraries = {
        "RecTools": "by default not divided by the achievable",
        "scikit-learn": "the same with linear gains",
        "RankLib, LightGBM": "gain 2^r − 1, unscaled: the same ratio as exp2",
    }

    gain: Gain = param("linear", "how a rating becomes gain: linear, binary, exp2, chapelle, chapelle_scaled")
    rel: float | None = param(None, "a rating from which items are relevant, for gain=binary")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        got = judged.sum(within(judged, self.n) * self._discounted(judged))
        return divide(got, self._ideal(judged))

    def _row_gains(self, relevance: Relevance) -> Float64:
        def compute() -> Float64:
            return self.gain.gain(relevance.grade, relevance.relevant_at(self.rel), relevance.top_grade)

        return relevance.once(("gain", str(self.gain), self.rel), compute)

    def _discounted(self, judged: Judged) -> Float64:
        def compute() -> Float64:
            return np.asarray(self._row_gains(judged.relevance)[judged.row] / _discounts(judged.rank)[judged.rank])

        return judged.once(("discounted", str(self.gain), self.rel), compute)

    def _ideal(self, judged: Judged) -> Float64:
        gains = self._row_gains(judged.relevance)
        if judged.only is not None:
            return gains[judged.only]
        return self._ideal_of_users(judged.relevance, gains)[judged.owner]

    def _ideal_of_users(self, relevance: Relevance, gains: Float64) -> Float64:
        def compute() -> Float64:
            from heldout.kernels.lists import discounted_sums

            best = relevance.once(("best first", str(self.gain), self.rel), lambda: relevance.descending(gains))
            out = np.empty(len(relevance))
            depth = len(best) if self.n is None else self.n
            discounted_sums(relevance.indptr, best, _discounts(relevance.rated), depth, out)
            return out

        return relevance.once(("ideal", str(self.gain), self.rel, self.n), compute)


def _discounts(ranks: Ints) -> Float64:
    """log2(k + 1) for k up to the largest of these ranks, by k; a table, because a logarithm costs more than a look-up."""
    return np.asarray(np.log2(np.arange(1.0, int(ranks.max(initial=0)) + 2)))
