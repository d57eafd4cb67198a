"""Whether a candidate may replace a baseline: non-inferiority of a mean over paired users."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from heldout.aggregations.moments import moments, t_quantile
from heldout.errors import SpecError
from heldout.tables.arrays import Float64

Outcome = Literal["passed", "suspicious", "inconclusive", "worse"]
LEVEL = 0.05
"""The largest error of each one-sided statement."""
POWER = 0.8
"""The power for which users are counted."""
FEW = 30
"""With fewer users whose values differ, no interval is used: it would pass worse candidates too often."""
_Z_LEVEL, _Z_POWER = 1.6448536269514722, 0.8416212335729143
_MARGIN = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(%?)\s*")


@dataclass(frozen=True)
class Margin:
    """A difference from the baseline: an amount, or a share of the baseline's mean."""

    size: float
    relative: bool = False

    @classmethod
    def parse(cls, text: str | float, where: str, *, signed: bool = False) -> Margin:
        """The margin of a number (`0.02`) or a percentage (`"2%"`); SpecError otherwise, or if negative and not `signed`."""
        match = _MARGIN.fullmatch(str(text))
        size = float(match[1]) if match else math.nan
        if match is None or not math.isfinite(size) or (size < 0 and not signed):
            expected = "a number such as 0.02, or a percentage such as 2%" + ("" if signed else "; not below 0")
            raise SpecError(where=where, found=str(text), expected=expected)
        return cls(size / 100, relative=True) if match[2] else cls(size)

    def of(self, baseline: float) -> float:
        """The margin as a difference, given the baseline's mean."""
        return self.size * baseline if self.relative else self.size

    def __str__(self) -> str:
        return f"{100 * self.size:.6g}%" if self.relative else f"{self.size:.6g}"


@dataclass(frozen=True, kw_only=True)
class NonInferiority:
    """One metric of a candidate and of a baseline, on the users of both."""

    outcome: Outcome
    users: int
    differing: int
    """Users whose two values differ."""
    losing: int
    """Users for whom the candidate is worse."""
    baseline: float
    candidate: float
    difference: float
    """Candidate − baseline."""
    margin: float
    """The margin as a difference."""
    distance: float
    """How far the candidate is on the safe side of the margin, on average; below 0 if it is not."""
    low: float
    """One-sided lower end of the distance, which must be above 0."""
    high: float
    """One-sided upper end of the distance; below 0 if the candidate is worse than the margin allows."""
    exact: bool
    """True if few users differ, and the exact bound on the share of losing users replaces the interval."""
    largest_loss: float | None
    """Upper bound on the mean loss from the exact bound; None if the interval is used, or the metric has no range."""
    users_if_equal: int | None
    """Users for a power of 80 % if both are equally good; None if no number would be enough."""
    users_if_as_observed: int | None
    """Users for a power of 80 % if the true distance is the observed one; None if no number would be enough."""


def noninferiority(
    baseline: Float64,
    candidate: Float64,
    margin: Margin,
    *,
    higher_is_better: bool = True,
    widest: float = math.inf,
    suspicious: Margin | None = None,
) -> NonInferiority:
    """Test whether the candidate's mean is worse than the baseline's by less than the margin.

    With d_u = candidate − baseline + margin (its negative parts exchanged if lower is better), the candidate passes if the
    lower end of the one-sided 95 % interval of the mean of d is above 0, and is worse if the upper end is below 0. The
    interval is Student's t interval with Hall's (1992) correction of skewness. A
    relative margin r tests the mean of candidate − (1 − r) · baseline, so that the baseline's own error counts.

    If fewer than 30 users have different values, the interval does not hold. The candidate then passes only if the exact
    upper 95 % bound on the share of losing users (Clopper and Pearson 1934), times the largest possible loss `widest`, is
    below the margin; otherwise the outcome is inconclusive.

    Example: 100 users, none of whom differ, and a metric from 0 to 1. At most 1 − 0.05^(1/100) = 2.95 % of all users lose,
    so a margin of 0.03 is passed and one of 0.02 is not.
    """
    users = len(baseline)
    if users < 2:
        raise SpecError("a paired comparison needs at least 2 users", found=users)
    mean_baseline, mean_candidate = float(moments(baseline[None]).mean[0]), float(moments(candidate[None]).mean[0])
    if margin.relative and not mean_baseline > 0:
        hint = "give the margin as an amount, such as 0.02"
        raise SpecError("a relative margin needs a baseline above 0", where="margin", found=mean_baseline, hint=hint)
    sign = 1.0 if higher_is_better else -1.0
    allowed = margin.of(mean_baseline)
    distance, low, high, deviation = _interval(_distances(baseline, candidate, margin, sign))
    changes = sign * (candidate - baseline)
    differing, losing = int((changes != 0).sum()), int((changes < 0).sum())
    exact = differing < FEW
    bound = _share_bound(losing, users) * widest if exact and math.isfinite(widest) else None
    outcome: Outcome = "inconclusive"
    if not exact:
        outcome = "passed" if low > 0 else "worse" if high < 0 else "inconclusive"
    elif bound is not None and bound < allowed:
        outcome = "passed"
    if suspicious is not None and not exact and outcome == "passed":
        # The mirror image of the margin: better than the baseline by more than is plausible.
        mirrored = Margin(-suspicious.size, suspicious.relative)
        if _interval(_distances(baseline, candidate, mirrored, sign))[1] > 0:
            outcome = "suspicious"
    return NonInferiority(
        outcome=outcome,
        users=users,
        differing=differing,
        losing=losing,
        baseline=mean_baseline,
        candidate=mean_candidate,
        difference=mean_candidate - mean_baseline,
        margin=allowed,
        distance=distance,
        low=low,
        high=high,
        exact=exact,
        largest_loss=bound,
        users_if_equal=_users_needed(deviation, allowed, differing / users),
        users_if_as_observed=_users_needed(deviation, distance, differing / users),
    )


def _distances(baseline: Float64, candidate: Float64, margin: Margin, sign: float) -> Float64:
    """By user, how far the candidate is on the safe side of the margin; their mean is what is tested."""
    if margin.relative:
        return sign * candidate - sign * (1.0 - sign * margin.size) * baseline
    return sign * (candidate - baseline) + margin.size


def _interval(distances: Float64) -> tuple[float, float, float, float]:
    """Mean, one-sided lower and upper ends (Hall 1992), and standard deviation.

    Hall's transformation bends the t interval by the skewness. A candidate that loses much for few users has a long lower
    tail, and with the plain t interval it passes up to twice as often as it should.
    """
    found = moments(distances[None])
    mean, error, deviation = float(found.mean[0]), float(found.error[0]), float(found.deviation[0])
    if not error > 0:
        return mean, mean, mean, deviation
    skewness = float(np.mean(((distances - mean) / deviation) ** 3)) / math.sqrt(len(distances))
    quantile = t_quantile(1.0 - LEVEL, len(distances) - 1.0)
    low, high = (mean - error * _bent(t, skewness) for t in (quantile, -quantile))
    return mean, low, high, deviation


def _bent(t: float, skewness: float) -> float:
    """Hall's inverse transformation of a quantile; `skewness` is that of the values ÷ √n."""
    if abs(skewness) < 1e-9:
        return t
    return 3.0 / skewness * (float(np.cbrt(1.0 + skewness * (t - skewness / 6.0))) - 1.0)


def _share_bound(count: int, users: int) -> float:
    """The exact one-sided upper 95 % bound on a share of which `count` of `users` were seen."""
    from scipy.special import betaincinv

    return 1.0 if count >= users else float(betaincinv(count + 1.0, users - count, 1.0 - LEVEL))


def _users_needed(deviation: float, distance: float, differing: float) -> int | None:
    """Users for whom the lower end is above 0 with a power of 80 %, and of whom enough differ for the interval."""
    if not distance > 0 or not differing > 0:
        return None
    by_interval = ((_Z_LEVEL + _Z_POWER) * deviation / distance) ** 2
    return math.ceil(max(by_interval, FEW / differing, 2.0))
