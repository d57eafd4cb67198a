"""Spearman's ρ."""

from __future__ import annotations

import numpy as np

from heldout.metrics.metric import Metric, check_ties_known
from heldout.tables import Judged, divide
from heldout.tables.arrays import Float64


class Spearman(Metric):
    """Spearman's ρ: the correlation of the ranks by score and by rating of the user's ranked test items.

    Assumes: only rated items take part, whatever the target; tied items share the mean of their ranks.

    Example: ratings 5, 3, 4 in the order of the list: ranks 1, 2, 3 and 1, 3, 2, so 1 − 6 · 2 / (3 · 8) = 0.5.
    """

    key = "Spearman"
    needs_whole_lists = True
    by_relevance = "never"
    formula = "ρ = Pearson's correlation of average ranks"
    references = ("spearman1904", "canamares2020")
    short_lists = "only ranked test items take part"
    needs_ties = True
    range = (-1.0, 1.0)
    undefined = "all ranked test items have one rating or one score, or there are fewer than two"
    ties = "equal"
    claims = ("bounded",)
    tasks = ("all_good_items", "predict_ratings")
    libraries = {"scipy": "the same (spearmanr)"}

    def measure(self, judged: Judged) -> Float64:
        from heldout.kernels.agreement import average_ranks

        check_ties_known(judged, self)
        first, second = np.empty(len(judged.rank)), np.empty(len(judged.rank))
        average_ranks(judged.indptr, judged.above.astype(np.float64), first)
        average_ranks(judged.indptr, -judged.grade, second)
        sizes = np.diff(judged.indptr)
        middle = np.repeat((sizes + 1) / 2, sizes)  # the mean rank, with ties or without
        x, y = first - middle, second - middle
        correlation = divide(judged.sum(x * y), np.sqrt(judged.sum(x * x)) * np.sqrt(judged.sum(y * y)))
        return np.clip(correlation, -1.0, 1.0)

    def expected(self, judged: Judged) -> Float64:
        """The value itself: ties are ties here."""
        return self.measure(judged)
