"""Normalised discounted cumulative gain."""

from __future__ import annotations

from heldout.catalogue import Coerced, cutoff, param
from heldout.metrics.expected import expected_gain
from heldout.metrics.ideal import discounted, ideal_of_lists
from heldout.metrics.metric import Discount, Gain, Metric
from heldout.metrics.sums_over_hits import GainSum
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class NDCG(Metric):
    """Normalised discounted cumulative gain: gains discounted by rank, divided by those of the best possible list.

    Assumes: the ideal list holds the user's test ratings by descending gain, cut at n, whether or not they are targets;
    unrated items gain 0; negative gains are not foreseen. Unless a gain is named it is linear, the rating itself, as in
    trec_eval; a study that names no metrics measures nDCG(gain=binary), whose values are others.

    Example: gain=binary, R = 2, relevant items at ranks 1 and 3: (1/log2(2) + 1/log2(4)) / (1 + 1/log2(3)) = 0.9197.
    """

    key = "nDCG"
    unnormalised = "DCG"
    by_relevance = "binary"
    formula = "nDCG@n = Σ_{k ≤ n} g_k D(k)  ÷  the same sum over the ideal list;  D(k) = 1/log2(k + 1)"
    references = ("jarvelin2002", "treceval", "canamares2020")
    undefined = "the user's best possible list has gain 0"
    claims = ("moving a relevant item up never lowers", "bounded", "ideal is 1")
    tasks = ("some_good_items", "all_good_items", "utility")
    libraries = {
        "RecTools": "by default not divided by the achievable: nDCGFixed",
        "scikit-learn": "the same with linear gains, ties averaged",
        "LensKit": "gain=binary (unless a field of gains is named) and discount=jarvelin: ranks 1 and 2 count the same",
        "implicit, RecBole, RecPack": "gain=binary",
        "Microsoft Recommenders": "gain=binary by default; 'raw' is linear, 'exp' the same ratio as exp2",
        "RankLib, LightGBM": "gain 2^r − 1, unscaled: the same ratio as exp2",
        "ranx": "the same (ndcg); ndcg_burges is gain=exp2",
        "trec_eval": "the same (ndcg, ndcg_cut)",
    }
    pooling = "sum"
    additive = True

    gain: Coerced[Gain, str] = param(
        "linear", "how a rating becomes gain: linear, binary, exp2, chapelle, chapelle_scaled, table([…])"
    )
    discount: Coerced[Discount, str] = param("log2", "what is left at a rank: log2, jarvelin, rbp, zipf, table([…])")
    rel: float | None = param(None, "a rating from which items are relevant, for gain=binary")
    n: int | None = cutoff(None, "depth at which the list is cut; none takes the whole list")

    def measure(self, judged: Judged) -> Float64:
        judged = judged.cut(self.n)
        return divide(discounted(judged, self.gain, self.rel, self.discount, self.n), self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        gains = self.gain.rows(judged.relevance, self.rel)
        return divide(expected_gain(judged, gains, self.discount.weight, self.n), self.denominator(judged))

    def as_sum(self) -> GainSum:
        """Gains at ranks over those of the best list."""
        return GainSum(gain=self.gain, discount=self.discount, rel=self.rel)

    def denominator(self, judged: Judged) -> Float64:
        """The gain of the best possible list."""
        return ideal_of_lists(judged, self.gain, self.rel, self.discount, self.n)
