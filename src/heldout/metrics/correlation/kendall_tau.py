"""Kendall's τ."""

from __future__ import annotations

import numpy as np

from heldout.metrics.correlation.pairs import pair_counts
from heldout.metrics.metric import Metric
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class KendallTau(Metric):
    """Kendall's τ-b between the scores and the ratings of the user's ranked test items.

    Assumes: only rated items take part, whatever the target; ties in scores and in ratings are kept as ties.

    Example: ratings 5, 3, 4 in the order of the list: two pairs agree, one does not: (2 − 1) / 3 = 0.3333.
    """

    key = "KendallTau"
    needs_whole_lists = True
    by_relevance = "never"
    aliases = ("tau",)
    formula = "τ_b = (C⁺ − C⁻) / √((C⁺ + C⁻ + ties in scores alone) (C⁺ + C⁻ + ties in ratings alone))"
    references = ("kendall1945", "canamares2020")
    short_lists = "only ranked test items take part"
    needs_ties = True
    range = (-1.0, 1.0)
    undefined = "all ranked test items have one rating or one score, or there are fewer than two"
    ties = "equal"
    claims = ("bounded",)
    tasks = ("all_good_items", "predict_ratings")
    libraries = {"scipy": "the same (kendalltau)"}

    def measure(self, judged: Judged) -> Float64:
        pairs = pair_counts(judged)
        untied = pairs.agreeing + pairs.contrary
        # ties in both lie in neither factor; the root of each by itself keeps large counts exact
        below = np.sqrt(untied + pairs.tied_scores) * np.sqrt(untied + pairs.tied_ratings)
        return divide(pairs.agreeing - pairs.contrary, below)

    def expected(self, judged: Judged) -> Float64:
        """The value itself: ties are ties here."""
        return self.measure(judged)
