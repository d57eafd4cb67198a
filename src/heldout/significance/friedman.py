"""Friedman's test of all systems at once, and Nemenyi's of each pair."""

from __future__ import annotations

import numpy as np

from heldout.errors import NotApplicableError
from heldout.significance.differences import refuse_missing
from heldout.significance.significance_test import Layout, Test
from heldout.significance.studentised_range import range_quantile, range_sf
from heldout.tables.arrays import Float64, Int64


class Friedman(Test):
    """Friedman's test that no system is ranked better than another, and Nemenyi's test of every pair behind it.

    Formula: each user ranks the k systems, equal values sharing ranks. χ² = 12n / (k(k+1)) Σ (R̄_j − (k+1)/2)², divided by
    1 − Σ(t³−t) / (n(k³−k)) for ties, k − 1 degrees of freedom. A pair differs at the level when |R̄_a − R̄_b| is at least the
    critical difference q √(k(k+1) / (6n)), q the upper quantile of the range of k normal values over √2; its p is that of
    the range, and holds for all pairs together.

    Assumes: users rank independently; chance alone makes all orders as likely. All systems are ranked on the users that each
    of them is averaged on. Adding a system can change the p of the other pairs. p needs no further correction. Equal systems
    give p = 1.

    Example: 3 systems in the same order for 4 users: mean ranks 1, 2, 3; χ² = 12·4/12 · (1 + 0 + 1) = 8, p = e^(−4) = 0.018;
    critical difference at 0.05: 2.344 √(12 / 24) = 1.657, so only the first and the last are told apart.
    """

    key = "friedman"
    aliases = ("nemenyi",)
    formula = "χ² = 12n/(k(k+1)) Σ_j (R̄_j − (k+1)/2)², CD = q_α √(k(k+1)/(6n))"
    references = ("friedman1937", "nemenyi1963", "demsar2006")
    compares = "ranks"
    all_at_once = True

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """Nemenyi's p of each pair, for the whole family; nothing is drawn at random."""
        self.refuse_weights(weights)
        ranks = mean_ranks(checked_layout(columns))
        n, k = columns.shape
        q = np.abs(ranks[pairs[:, 0]] - ranks[pairs[:, 1]]) / np.sqrt(k * (k + 1) / (12.0 * n))
        return range_sf(q, k)

    def layout(self, columns: Float64, *, level: float, higher_is_better: bool = True) -> Layout:
        """Friedman's statistic, mean ranks (1 the best) and the critical difference."""
        from scipy.special import chdtrc

        n, k = checked_layout(columns).shape
        own = ranks_of(-columns if higher_is_better else columns)
        mean = own.mean(axis=0)
        tied = 1.0 - _tie_sum(own) / (n * (k**3 - k))
        statistic = 12.0 * n / (k * (k + 1)) * float(np.square(mean - (k + 1) / 2).sum())
        statistic = statistic / tied if tied > 0 else 0.0
        critical = range_quantile(level, k) / np.sqrt(2.0) * np.sqrt(k * (k + 1) / (6.0 * n))
        p = float(chdtrc(k - 1, statistic))
        return Layout(
            statistic=statistic, name=f"χ²({k - 1})", p=p, places=mean, scale="mean rank", critical=float(critical), users=n
        )

    def phrase(self) -> str:
        return "Friedman's test followed by Nemenyi's"


def ranks_of(columns: Float64) -> Float64:
    """Ranks of the columns on every user, 1 the least, equal values sharing the mean of their ranks."""
    from scipy.stats import rankdata

    # Values that differ by rounding alone are equal.
    scale = np.abs(columns).max(axis=1, keepdims=True)
    even = np.round(np.divide(columns, scale, out=np.zeros_like(columns), where=scale > 0), 12)
    ranks: Float64 = rankdata(even, axis=1)
    return ranks


def mean_ranks(columns: Float64) -> Float64:
    """The mean over users of each column's rank, 1 the greatest."""
    mean: Float64 = ranks_of(-columns).mean(axis=0)
    return mean


def _tie_sum(ranks: Float64) -> float:
    """Σ (t³ − t) over groups of t equal ranks of a user."""
    ordered = np.sort(ranks, axis=1)
    new = np.ones(ordered.shape, dtype=np.bool_)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    sizes = np.diff(np.append(np.flatnonzero(new.ravel()), new.size)).astype(np.float64)
    return float((sizes**3 - sizes).sum())


def checked_layout(columns: Float64) -> Float64:
    """The columns unless they are too few or a number is missing."""
    n, k = columns.shape
    if n < 2 or k < 2:
        raise NotApplicableError(
            "too few values for a test of all systems",
            found=[f"{n} users", f"{k} systems"],
            expected="at least 2 users and 2 systems",
        )
    refuse_missing(columns.T)
    return columns
