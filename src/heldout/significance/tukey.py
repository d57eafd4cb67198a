"""Tukey's honestly significant differences over all systems."""

from __future__ import annotations

import numpy as np

from heldout.significance.friedman import checked_layout
from heldout.significance.significance_test import Layout, Test
from heldout.significance.studentised_range import range_quantile, range_sf
from heldout.tables.arrays import Float64, Int64


class Tukey(Test):
    """Tukey's HSD on the two-way layout users × systems: all pairs of means against one common error.

    Formula: x_us = μ + user_u + system_s + e_us, s² = Σ e² / ((n−1)(k−1)); q = |x̄_a − x̄_b| / √(s²/n), referred to the
    studentised range of k means with (n−1)(k−1) degrees of freedom. All systems together: F = n Σ(x̄_s − x̄)² / (k−1) / s².

    Assumes: what users and systems do adds up, and the rest spreads alike for every system; where one system is far noisier
    than the others, use t with `holm`. All systems are compared on the users that each of them is averaged on. p holds for
    all pairs together and needs no further correction. Equal columns give p = 1.

    Example: of 2 systems on n users q = √2·|t| with n − 1 degrees of freedom: the p of the paired t test.
    """

    key = "tukey"
    aliases = ("hsd",)
    formula = "q = |x̄_a − x̄_b| / √(s²/n)"
    references = ("tukey1949",)
    compares = "means"
    all_at_once = True

    def p_values(self, columns: Float64, pairs: Int64, *, seed: int, weights: Float64 | None = None) -> Float64:
        """p of each pair for the whole family; nothing is drawn at random."""
        self.refuse_weights(weights)
        mean, error, degrees = _two_way(checked_layout(columns))
        difference = np.abs(mean[pairs[:, 0]] - mean[pairs[:, 1]])
        if error == 0:
            return np.where(difference > 0, 0.0, 1.0)
        return range_sf(difference / error, columns.shape[1], degrees)

    def layout(self, columns: Float64, *, level: float, higher_is_better: bool = True) -> Layout:
        """The F of the two-way layout, the means, and the least difference that is significant."""
        from scipy.special import fdtrc

        n, k = checked_layout(columns).shape
        mean, error, degrees = _two_way(columns)
        between = float(np.square(mean - mean.mean()).sum()) / (k - 1) if np.ptp(mean) > 0 else 0.0
        statistic = between / error**2 if error > 0 else (np.inf if between > 0 else 0.0)
        p = float(fdtrc(k - 1, degrees, statistic)) if np.isfinite(statistic) else 0.0
        critical = range_quantile(level, k, degrees) * error
        return Layout(
            statistic=float(statistic),
            name=f"F({k - 1}, {degrees:.0f})",
            p=p,
            places=mean,
            scale="mean",
            critical=float(critical),
            users=n,
        )

    def phrase(self) -> str:
        return "Tukey's HSD on the two-way layout of users and systems"


def _two_way(columns: Float64) -> tuple[Float64, float, float]:
    """The systems' means, the standard error of one, and its degrees of freedom."""
    n, k = columns.shape
    mean = columns.mean(axis=0)
    if np.ptp(mean) <= 1e-14 * np.abs(mean).max():
        mean = np.full(k, mean[0])  # they differ by rounding alone
    rest = columns - mean - columns.mean(axis=1, keepdims=True) + mean.mean()
    degrees = float((n - 1) * (k - 1))
    square = float(np.square(rest).sum()) / degrees
    floor = (1e-14 * float(np.abs(columns).max())) ** 2
    return mean, float(np.sqrt(square / n)) if square > floor else 0.0, degrees
