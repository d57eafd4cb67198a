"""Power of the paired t test: how many users show a difference, and which difference so many users show."""

from __future__ import annotations

import math

import numpy as np

from heldout.aggregations.moments import t_quantile
from heldout.errors import SpecError

MANY_USERS = 2000
"""Users from which on tiny differences are significant, so that the size of an effect must be read first."""
_MOST = 10**12


def power_of(users: int, effect: float, *, deviation: float = 1.0, level: float = 0.05) -> float:
    """The chance that a two-sided paired t test at `level` finds a true difference of `effect`.

    `deviation` is the standard deviation of users' differences; with 1, `effect` is Cohen's d. From the noncentral t
    distribution. Example: 34 users and d = 0.5 give 0.808.
    """
    _check(effect, deviation, level)
    if users < 2:
        return 0.0
    from scipy.special import nctdtr

    shift = abs(effect) / deviation * math.sqrt(users)
    limit = t_quantile(1.0 - level / 2, users - 1.0)
    # Where the shift is so large that scipy's noncentral t overflows to NaN, nothing is left below the limit.
    near, far = (float(np.nan_to_num(nctdtr(users - 1.0, shift, end), nan=0.0)) for end in (limit, -limit))
    return min(1.0, max(0.0, 1.0 - near + far))


def users_needed(effect: float, *, deviation: float = 1.0, power: float = 0.8, level: float = 0.05) -> int:
    """The fewest users with whom a two-sided paired t test at `level` finds a true difference of `effect` with `power`.

    Example: d = 0.5 needs 34 users, d = 0.1 needs 787.
    """
    _check(effect, deviation, level)
    if effect == 0:
        raise SpecError(
            "no number of users shows it", where="effect", found=effect, expected="the least difference that matters"
        )
    if not level < power < 1:
        raise SpecError(where="power", found=power, expected=f"a number between the level {level:g} and 1")
    low, high = 1, 2
    while power_of(high, effect, deviation=deviation, level=level) < power:
        low, high = high, high * 2
        if high > _MOST:
            raise SpecError(
                f"more than {_MOST:,} users would be needed", where="effect", found=effect, expected="a larger difference"
            )
    while high - low > 1:
        middle = (low + high) // 2
        if power_of(middle, effect, deviation=deviation, level=level) < power:
            low = middle
        else:
            high = middle
    return high


def detectable_effect(users: int, *, power: float = 0.8, level: float = 0.05) -> float:
    """The least Cohen d that so many users show with this power. Example: 34 users show d = 0.495."""
    if users < 3:
        raise SpecError("no effect can be shown reliably", where="users", found=users, expected="at least 3 users")
    ceiling = 1.0
    while power_of(users, ceiling, level=level) < power:
        ceiling *= 2
    floor = 0.0
    while ceiling - floor > 1e-12 * ceiling:  # halved: scipy's root finders take half a second to import
        middle = (floor + ceiling) / 2
        if power_of(users, middle, level=level) < power:
            floor = middle
        else:
            ceiling = middle
    return ceiling


def _check(effect: float, deviation: float, level: float) -> None:
    if not np.isfinite(effect):
        raise SpecError(where="effect", found=effect, expected="a finite number")
    if not (np.isfinite(deviation) and deviation > 0):
        raise SpecError(where="deviation", found=deviation, expected="a number above 0")
    if not 0 < level < 1:
        raise SpecError(where="level", found=level, expected="a number between 0 and 1")
