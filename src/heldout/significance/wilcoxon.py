"""Wilcoxon's signed-rank test."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

import numpy as np

from heldout import threads
from heldout.catalogue import param
from heldout.significance.differences import checked_rows, differences
from heldout.significance.significance_test import NON_ZERO, Test
from heldout.tables.arrays import Float64, Int64

_EXACT = 50
"""Non-zero differences up to which p is exact, tied or not."""
_PIECE = 1 << 16
"""Differences that one thread ranks at a time."""


class Wilcoxon(Test):
    """Wilcoxon's signed-rank test, two-sided: are larger differences as often for one system as for the other?

    Assumes: differences symmetric about their median under the null. Tied differences share ranks; they are rounded to
    12 digits of the largest first, so that rounding breaks no tie. `zeros=wilcox` ranks only the non-zero differences.
    `zeros=pratt` ranks all and then drops the zeros, so the non-zero ones keep their higher ranks. If at most 50 differences
    are not zero, p is exact: all sign patterns are counted, with ties as they are. Beyond 50 it is the normal
    approximation, corrected for ties but not for continuity. Results state how many users have a non-zero difference.
    Equal columns give p = 1.

    scipy.stats.wilcoxon differs: it is exact for at most 50 users if there are neither zeros nor ties, and for at most 13
    users otherwise. Of differences 1, 2, 3, 4, 5 and 95 zeros it gives p = 0.043; the exact p is 2/2⁵ = 0.0625.

    Example: differences 1, 2 and 3: the ranks against are 0; of 8 sign patterns 2 are as extreme, p = 0.25.
    """

    key = "wilcoxon"
    formula = "W = min(Σ ranks of d > 0, Σ ranks of d < 0)"
    references = ("wilcoxon1945",)
    compares = "ranks"

    zeros: Literal["wilcox", "pratt"] = param(
        "wilcox", "users without a difference: left out before ranking, or ranked and then left out"
    )

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Two-sided p of each pair; nothing is drawn at random."""
        self.refuse_weights(weights)
        rows = checked_rows(columns, pairs)
        pieces = [np.zeros(0)]
        for _, d in differences(rows, pairs):
            parts = np.array_split(_rounded(d), max(1, d.size // _PIECE))
            pieces += threads.run_all(self._signed_rank_p, parts)
        return np.concatenate(pieces)

    def figures(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Mapping[str, Float64]:
        """The number of users with a non-zero difference: the sample that the test is made on."""
        rows = checked_rows(columns, pairs)
        counts = [np.count_nonzero(_rounded(d), axis=1) for _, d in differences(rows, pairs)]
        return {NON_ZERO: np.concatenate([np.zeros(0), *counts])}

    def phrase(self) -> str:
        ranked = " with zeros ranked as by Pratt" if self.zeros == "pratt" else ""
        return f"the Wilcoxon signed-rank test{ranked}"

    def _signed_rank_p(self, d: Float64) -> Float64:
        """Two-sided p of each row of differences.

        The mean of the sum of positive ranks is Σ r / 2 and its variance Σ r² / 4. With z zeros ranked first and dropped,
        the sums over 1…n lose those over 1…z.
        """
        from scipy.special import ndtr
        from scipy.stats import rankdata

        present, size = d != 0, np.abs(d)
        zeros = (~present).sum(axis=1)
        # The ranks that zeros take.
        lower = np.zeros_like(zeros) if self.zeros == "wilcox" else zeros
        below = (zeros - lower)[:, None]
        lowest = rankdata(size, "min", axis=1).astype(np.int64) - below
        highest = rankdata(size, "max", axis=1).astype(np.int64) - below
        doubled = np.where(present, lowest + highest, 0)  # ranks of ties are halves
        alike = np.where(present, highest - lowest + 1, 1)
        above, n = np.where(d > 0, doubled, 0).sum(axis=1), present.sum(axis=1) + lower
        spread = (_squares(n) - _squares(lower)) / 24 - (alike.astype(np.float64) ** 2 - 1).sum(axis=1) / 48
        distance = np.abs(above / 2 - (n * (n + 1) - lower * (lower + 1)) / 4)
        p = 2 * ndtr(-np.divide(distance, np.sqrt(spread), out=np.zeros(len(d)), where=spread > 0))
        for row in np.flatnonzero(present.sum(axis=1) <= _EXACT):
            ranks = np.sort(doubled[row, present[row]]) - 2 * lower[row]
            p[row] = _exact_p(tuple(ranks.tolist()), int(above[row]), 2 * int(lower[row]))
        return np.asarray(p, dtype=np.float64)


def _rounded(d: Float64) -> Float64:
    """Differences in units of the row's largest, to 12 digits."""
    scale = np.abs(d).max(axis=1, keepdims=True)
    return np.asarray(np.round(np.divide(d, scale, out=np.zeros_like(d), where=scale > 0), 12), dtype=np.float64)


def _squares(n: Int64) -> Float64:
    """n(n + 1)(2n + 1), six times the sum of squares up to n, as whole numbers: int64 overflows beyond 1.6 million users."""
    return np.array([float(k * (k + 1) * (2 * k + 1)) for k in n.tolist()], dtype=np.float64)


def _exact_p(doubled: tuple[int, ...], above: int, shift: int) -> float:
    """Two-sided p of the sum `above` of the positive ranks, which are `doubled`, each with `shift` added.

    A sum of k positive ranks is k · shift and the sum of their `doubled`, which is at most the total. A larger shift than
    that puts sums in the same order, so it is replaced by the total and one: the table stays small however many zeros.
    """
    total = sum(doubled)
    if shift > total:
        positive, above = divmod(above, shift)
        shift = total + 1
        above += positive * shift
    # Tables with a shift are up to 1 MB large and rarely recur.
    patterns = _sums.__wrapped__(tuple(rank + shift for rank in doubled)) if shift else _sums(doubled)
    fewer, more = int(patterns[: above + 1].sum()), int(patterns[above:].sum())
    return float(min(1.0, 2 * min(fewer, more) / 2 ** len(doubled)))


@lru_cache(maxsize=1 << 10)
def _sums(doubled: tuple[int, ...]) -> Int64:
    """How many of all sign patterns have each sum of positive ranks, ranks and sums doubled to be whole."""
    patterns = np.zeros(sum(doubled) + 1, np.int64)
    patterns[0], most = 1, 0
    for rank in doubled:
        patterns[rank : rank + most + 1] += patterns[: most + 1].copy()
        most += rank
    return patterns
