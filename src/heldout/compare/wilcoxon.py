"""Wilcoxon's signed-rank test."""

from __future__ import annotations

import numpy as np

from heldout import threads
from heldout.compare.differences import checked_rows, differences
from heldout.compare.test import Test
from heldout.tables.arrays import Float64, Int64


class Wilcoxon(Test):
    """Wilcoxon's signed-rank test, two-sided: are larger differences as often for one system as for the other?

    Assumes: differences symmetric about their median under the null. Users without a difference are dropped, tied
    differences share ranks (told apart from the 12th digit up, so that rounding breaks no tie). As in scipy: exact for at
    most 50 users without ties or zeros and, by all sign patterns, for at most 13 with them; the normal approximation
    beyond. Equal columns give p = 1.

    Example: differences 1, 2 and 3: the ranks against are 0; of 8 sign patterns 2 are as extreme, p = 0.25.
    """

    key = "wilcoxon"
    formula = "W = min(Σ ranks of d > 0, Σ ranks of d < 0)"
    references = ("wilcoxon1945",)
    compares = "ranks"

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Two-sided p of each pair; nothing is drawn at random."""
        self.refuse_weights(weights)
        rows = checked_rows(columns, pairs)
        found: list[float] = []
        for _, d in differences(rows, pairs):
            scale = np.abs(d).max(axis=1, keepdims=True)
            even = np.round(np.divide(d, scale, out=np.zeros_like(d), where=scale > 0), 12)
            found += threads.run_all(_signed_rank_p, even)
        return np.array(found, dtype=np.float64)


def _signed_rank_p(d: Float64) -> float:
    from scipy import stats

    return float(stats.wilcoxon(d).pvalue) if d.any() else 1.0
