"""Wilcoxon's signed-rank test."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from heldout import threads
from heldout.significance.differences import checked_rows, differences
from heldout.significance.significance_test import Test
from heldout.tables.arrays import Float64, Int64

_EXACT_PLAIN, _EXACT_TIED = 50, 13
"""Users up to which p is exact, without and with ties or zeros; scipy changes to the normal approximation there too."""
_PIECE = 1 << 16
"""Differences that one thread ranks at a time."""


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
        pieces = [np.zeros(0)]
        for _, d in differences(rows, pairs):
            scale = np.abs(d).max(axis=1, keepdims=True)
            even = np.round(np.divide(d, scale, out=np.zeros_like(d), where=scale > 0), 12)
            pieces += threads.run_all(_signed_rank_p, np.array_split(even, max(1, even.size // _PIECE)))
        return np.concatenate(pieces)

    def phrase(self) -> str:
        return "the Wilcoxon signed-rank test"


def _signed_rank_p(d: Float64) -> Float64:
    """Two-sided p of each row of differences."""
    from scipy.special import ndtr
    from scipy.stats import rankdata

    present, size = d != 0, np.abs(d)
    zeros = (~present).sum(axis=1)
    lowest = rankdata(size, "min", axis=1).astype(np.int64) - zeros[:, None]
    highest = rankdata(size, "max", axis=1).astype(np.int64) - zeros[:, None]
    doubled = np.where(present, lowest + highest, 0)  # ranks of ties are halves
    alike = np.where(present, highest - lowest + 1, 1)
    above, n = np.where(d > 0, doubled, 0).sum(axis=1), present.sum(axis=1)
    spread = n * (n + 1) * (2 * n + 1) / 24 - (alike.astype(np.float64) ** 2 - 1).sum(axis=1) / 48
    distance = np.abs(above / 2 - n * (n + 1) / 4)
    p = 2 * ndtr(-np.divide(distance, np.sqrt(spread), out=np.zeros(len(d)), where=spread > 0))
    plain = (zeros == 0) & (alike == 1).all(axis=1)
    exact = np.where(plain, d.shape[1] <= _EXACT_PLAIN, d.shape[1] <= _EXACT_TIED)
    for row in np.flatnonzero(exact):
        p[row] = _exact_p(tuple(sorted(doubled[row, present[row]].tolist())), int(above[row]))
    return np.asarray(p, dtype=np.float64)


def _exact_p(doubled: tuple[int, ...], above: int) -> float:
    patterns = _sums(doubled)
    fewer, more = int(patterns[: above + 1].sum()), int(patterns[above:].sum())
    return float(min(1.0, 2 * min(fewer, more) / 2 ** len(doubled)))


@lru_cache(maxsize=1 << 13)
def _sums(doubled: tuple[int, ...]) -> Int64:
    """How many of all sign patterns have each sum of positive ranks, ranks and sums doubled to be whole."""
    patterns = np.zeros(sum(doubled) + 1, np.int64)
    patterns[0] = 1
    for rank in doubled:
        patterns[rank:] += patterns[:-rank].copy()
    return patterns
