"""How often a difference between two systems turns round on other users (Voorhees and Buckley 2002).

Two disjoint sets of m users are drawn again and again. Where two systems differ on the one set, the sign of their
difference is looked up on the other: a swap is another sign. Done for m = n/2, n/4 and n/8, overall and by the size of the
difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from heldout import rng
from heldout.metric_quality.complete_users import complete_tables
from heldout.tables.arrays import Float64

TRIALS = 200
BINS = 10
GOAL = 0.05
FURTHEST = 100
"""How many times the users at hand a line is followed: beyond, the slope of two measured rates says nothing."""


@dataclass(frozen=True, kw_only=True)
class SwapRate:
    """The swaps of one metric with sets of m users."""

    metric: str
    users: int
    rate: float
    """The share of comparisons whose sign turns round; a tie on the other set is half a swap."""
    comparisons: int
    bins: tuple[tuple[float, float, int], ...]
    """By ascending size of the difference: the least difference of the bin, its swap rate, its comparisons."""


@dataclass(frozen=True, kw_only=True)
class UsersNeeded:
    """The users at which the swap rate of a metric falls to 5 %."""

    metric: str
    users: int | None
    """None where it does not fall with the number of users, or not within a hundred times as many as there are."""
    extrapolated: bool
    """Whether they are more than the largest sets that were tried, half of the users."""
    at_most: bool = False
    """Whether fewer would do: the rate is below 5 % at the smallest sets that were tried."""


def swap_rates(values: Float64, metrics: Sequence[str], *, seed: int, trials: int = TRIALS) -> list[SwapRate]:
    """Swap rates of each metric at n/8, n/4 and n/2 users: `values` are metrics × systems × users.

    Users with an undefined value are left out of the metric.
    """
    rows: dict[tuple[int, int], SwapRate] = {}
    for members, table in complete_tables(values):
        columns = table.reshape(-1, table.shape[2])
        for divisor in (8, 4, 2):
            m = columns.shape[1] // divisor
            if m < 2:
                continue
            means = _means_of_sets(columns, m, trials, seed=seed).reshape(2, trials, len(members), -1)
            for at, metric in enumerate(members):
                rows[int(metric), -divisor] = _swaps(metrics[int(metric)], m, means[0, :, at], means[1, :, at])
    return [rows[key] for key in sorted(rows)]


def _means_of_sets(columns: Float64, m: int, trials: int, *, seed: int) -> Float64:
    """Means on two disjoint sets of m users of each column of values by user: 2 × trials × columns, as one product."""
    users = columns.shape[1]
    chosen = np.zeros((2, trials, users))
    stream = rng.stream(seed, "disjoint sets of users", m)
    for t in range(trials):
        order = stream.permutation(users)
        chosen[0, t, order[:m]] = 1.0
        chosen[1, t, order[m : 2 * m]] = 1.0
    # A product may add up the same numbers in another order: what is equal but for that is equal.
    means: Float64 = np.round(chosen.reshape(2 * trials, users) @ columns.T / m, 12)
    return means


def _swaps(metric: str, users: int, ours: Float64, theirs: Float64) -> SwapRate:
    """The swaps between the means (trials × systems) on two sets of users; each set is once the one on which one looks."""
    first, second = np.triu_indices(ours.shape[1], 1)
    here, there = ours[:, first] - ours[:, second], theirs[:, first] - theirs[:, second]
    seen, checked = np.concatenate([here, there]).ravel(), np.concatenate([there, here]).ravel()
    differing = seen != 0
    seen, checked = seen[differing], checked[differing]
    swapped = np.where(checked == 0, 0.5, seen * checked < 0)
    return SwapRate(
        metric=metric,
        users=users,
        rate=float(swapped.mean()) if swapped.size else float("nan"),
        comparisons=int(swapped.size),
        bins=_by_size(np.abs(seen), swapped),
    )


def _by_size(size: Float64, swapped: Float64) -> tuple[tuple[float, float, int], ...]:
    if not size.size:
        return ()
    order = np.argsort(size, kind="stable")
    parts = np.array_split(order, min(BINS, len(order)))
    return tuple((float(size[part[0]]), float(swapped[part].mean()), len(part)) for part in parts)


def users_needed(rates: Sequence[SwapRate]) -> UsersNeeded:
    """Where the swap rate of one metric, by ascending set sizes, falls to 5 %: on straight lines in logarithms.

    Beyond the largest sets that were tried the last line is followed, and that is said.
    """
    metric, largest = rates[0].metric, rates[-1].users
    if rates[0].rate <= GOAL:
        return UsersNeeded(metric=metric, users=rates[0].users, extrapolated=False, at_most=True)
    for low, high in pairwise(rates):
        if high.rate <= GOAL < low.rate:
            return UsersNeeded(metric=metric, users=int(_crossing(low, high)), extrapolated=False)
    if len(rates) < 2 or not rates[-1].rate < rates[-2].rate:
        return UsersNeeded(metric=metric, users=None, extrapolated=False)
    crossing = _crossing(rates[-2], rates[-1])
    if crossing > FURTHEST * 2 * largest:
        return UsersNeeded(metric=metric, users=None, extrapolated=False)
    return UsersNeeded(metric=metric, users=int(crossing), extrapolated=True)


def _crossing(low: SwapRate, high: SwapRate) -> float:
    """The number of users at which the line through two rates, in logarithms, meets the goal."""
    floor = 1e-9
    rates = np.log(np.maximum([low.rate, high.rate], floor))
    sizes = np.log([low.users, high.users])
    share = (rates[0] - np.log(GOAL)) / (rates[0] - rates[1])
    with np.errstate(over="ignore"):
        return float(np.ceil(np.exp(sizes[0] + share * (sizes[1] - sizes[0]))))
