"""Half-life utility."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import Coerced, param
from heldout.errors import SpecError
from heldout.metrics.discounts.half_life import HalfLife
from heldout.metrics.expected import expected_gain
from heldout.metrics.metric import Discount, Metric, Utility
from heldout.tables import Judged, Relevance, divide
from heldout.tables.arrays import Float64
from heldout.tables.memo import once


class HLU(Metric):
    """Half-life utility: what items are worth times the chance that the user gets so far, compared with the best list.

    Assumes: a list without end. The best list holds the observed items by decreasing utility, those of negative utility
    left out. The score of Breese et al. is the ratio of sums over users: aggregate=pooled; mean averages users' ratios.

    Example: half-life 5, utilities 2 and 1 at ranks 5 and 1: (2 · 0.5 + 1) / (2 + 0.5^(1/4)) = 0.7040.
    """

    key = "HLU"
    by_relevance = "never"
    aliases = ("RScore",)
    formula = "HLU = Σ_u R_u / Σ_u R_u^max,  R_u = Σ_j u(u, j) / 2^((k_j−1)/(α−1))"
    references = ("breese1998", "gunawardana2009")
    range = (-np.inf, 1.0)
    undefined = "no test item of the user has a utility above 0"
    claims = ("ideal is 1",)
    tasks = ("utility", "all_good_items")
    pooling = "sum"
    additive = True

    half_life: float = param(5.0, "α, the rank that is looked at with probability one half", above=1, also=("alpha", "α"))
    utility: Coerced[Utility, str] = param(
        "above_neutral", "what a rating is worth: above_neutral, column, log_inverse_popularity, hit"
    )
    discount: Coerced[Discount | None, str] = param(None, "known viewing probabilities instead of the half-life: table([…])")

    def check(self) -> None:
        if self.discount is not None and self.half_life != 5.0:
            raise SpecError(
                "a half-life and a discount exclude each other",
                where="HLU",
                found=[f"half_life={self.half_life:g}", f"discount={self.discount}"],
                hint="set one of them",
            )

    @property
    def viewed(self) -> Discount:
        """The chance that a rank is looked at."""
        return self.discount if self.discount is not None else HalfLife(alpha=self.half_life)

    def measure(self, judged: Judged) -> Float64:
        worth = self.utility.of_rows(judged.relevance, self)
        return divide(judged.sum(worth[judged.row] * self.viewed.of_entries(judged)), self.denominator(judged))

    def expected(self, judged: Judged) -> Float64:
        """Over all orders of tied items."""
        worth = self.utility.of_rows(judged.relevance, self)
        return divide(expected_gain(judged, worth, self.viewed.weight, None), self.denominator(judged))

    def denominator(self, judged: Judged) -> Float64:
        """R_u^max."""
        worth = self.utility.of_rows(judged.relevance, self)
        if judged.only is not None:
            return np.asarray(np.maximum(worth[judged.only], 0.0) * self.viewed.weights(1)[1])
        best = once(judged.relevance, ("best utility", self), lambda: self._best(judged.relevance, worth))
        return np.asarray(best[judged.owner])

    def _best(self, relevance: Relevance, worth: Float64) -> Float64:
        order = np.lexsort((-worth, relevance.owner))
        place = np.arange(len(worth)) - relevance.indptr[relevance.owner] + 1
        weights = self.viewed.weights(int(relevance.rated.max(initial=0)))
        best = np.bincount(relevance.owner, np.maximum(worth[order], 0.0) * weights[place], len(relevance))
        return best.astype(np.float64)
