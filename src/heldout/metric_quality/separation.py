"""How surely metrics tell systems apart: discriminative power, swap rates and reliability.

*Discriminative power* is the p-values of all pairs of systems (Sakai 2006; Lu, Moffat and Culpepper 2016; Valcarce et al.
2018). All pairs of all metrics are tested by the permutation test with the same sign flips, without a correction: what is
compared are metrics, not systems.

*Swap rate* (Voorhees and Buckley 2002): two disjoint sets of m users are drawn again and again. If two systems differ on the
one set, the sign of their difference is looked up on the other: a swap is another sign. m is n/2, n/4 and n/8; rates are
overall and by the size of the difference.

*Reliability* is how much of the spread of a metric's values is due to the systems: generalizability theory (Bodoff 2008;
Urbano, Marrero and Martín 2013). Values of systems × users have variance components σ²_s (systems), σ²_u (users) and σ²_su
(the rest, in which the interaction and the error cannot be told apart), by analysis of variance; negative ones are set to 0.
With n users Eρ² = σ²_s / (σ²_s + σ²_su/n) is how far the order of systems, and Φ = σ²_s / (σ²_s + (σ²_u + σ²_su)/n) how far
their values, would be the same on other users.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from heldout import rng
from heldout.metric_quality.findings import DiscriminativePower, Reliability, SwapRate
from heldout.significance.permutation import Permutation
from heldout.tables.arrays import Bool, Float64, Int64

AT_ONCE = 1 << 24
"""Numbers of one table: temporary arrays of what works on it stay below some hundred megabytes."""


FLIPS = 100_000
HALVED_FLIPS = 10_000
HALVINGS = 5
JACKKNIFED = 400
TRIALS = 200
BINS = 10
SWAPS_GOAL = 0.05
FURTHEST = 100
"""How many times the users at hand a line is followed: beyond, the slope of two measured rates says nothing."""
RELIABILITY_GOAL = 0.95


def complete_tables(values: Float64, among: Bool | None = None) -> Iterator[tuple[Int64, Float64]]:
    """Metrics that are complete for the same users, and their values for these: metrics × systems × users.

    `values` are metrics × systems × users, NaN where undefined; `among` marks the users to look at, all without it. Metrics
    that no user is complete for are left out; many metrics come in several tables. Where all users are complete, nothing is
    copied.
    """
    metrics, systems, users = values.shape
    complete = np.array([~np.isnan(table).any(axis=0) for table in values]).reshape(metrics, users)
    if among is not None:
        complete &= among
    members_by_users: dict[bytes, list[int]] = {}
    for metric, row in enumerate(np.packbits(complete, axis=1)):
        members_by_users.setdefault(row.tobytes(), []).append(metric)
    most = max(1, AT_ONCE // max(1, systems * users))
    for members in members_by_users.values():
        together = complete[members[0]]
        if not together.any():
            continue
        for start in range(0, len(members), most):
            part = np.array(members[start : start + most], np.int64)
            table = values[part[0] : part[-1] + 1] if part[-1] - part[0] + 1 == len(part) else values[part]
            yield part, table if together.all() else table[:, :, together]


def discriminative_power(
    values: Float64, metrics: Sequence[str], *, seed: int, level: float = 0.05, flips: int = FLIPS
) -> list[DiscriminativePower]:
    """The power of each metric: `values` are metrics × systems × users, NaN where undefined.

    A metric is tested on the users for whom every system has a value.
    """
    systems = values.shape[1]
    pairs = np.stack(np.triu_indices(systems, 1), axis=1)
    p = p_values(values, pairs, seed=seed, flips=flips)
    halves = _halves(values, pairs, seed=seed, flips=min(flips, HALVED_FLIPS))
    users = (~np.isnan(values).any(axis=1)).sum(axis=1)
    errors = _jackknife(p, pairs, systems, seed=seed)
    return [
        DiscriminativePower(
            metric=metric,
            pairs=len(pairs),
            users=int(users[k]),
            total=float(p[k].sum()),
            mean=float(p[k].mean()),
            mean_error=float(errors[k]),
            significant=float((p[k] < level).mean()),
            median=float(np.median(p[k])),
            half_mean=float(halves[:, :, k].mean()),
            half_error=float(np.sqrt(np.mean((halves[:, 0, k] - halves[:, 1, k]) ** 2 / 2))),
            curve=tuple(np.sort(p[k]).tolist()),
        )
        for k, metric in enumerate(metrics)
    ]


def p_values(values: Float64, pairs: Int64, *, seed: int, flips: int, among: Bool | None = None) -> Float64:
    """Metrics × pairs; NaN if no user has a value of every system. All metrics share the flips of their users.

    `among` marks the users that are tested, all without it.
    """
    systems = values.shape[1]
    test = Permutation(samples=flips, method="hadamard")
    p = np.full((len(values), len(pairs)), np.nan)
    for members, table in complete_tables(values, among):
        columns = table.reshape(len(members) * systems, -1).T
        shifted = np.concatenate([pairs + systems * m for m in range(len(members))])
        p[members] = test.p_values(columns, shifted, seed=seed).reshape(len(members), len(pairs))
    return p


def _halves(values: Float64, pairs: Int64, *, seed: int, flips: int) -> Float64:
    """The mean p-value on two disjoint halves of the users, several times: halvings × 2 × metrics.

    Samples with replacement would not do: a user drawn twice makes differences look surer than they are.
    """
    users = values.shape[2]
    means = np.full((HALVINGS, 2, len(values)), np.nan)
    if users < 4:
        return means
    for k in range(HALVINGS):
        order = rng.stream(seed, "halves of the users", k).permutation(users)
        for h, half in enumerate((order[: users // 2], order[users // 2 : 2 * (users // 2)])):
            among = np.zeros(users, np.bool_)
            among[half] = True
            means[k, h] = p_values(values, pairs, seed=seed, flips=flips, among=among).mean(axis=1)
    return means


def _jackknife(p: Float64, pairs: Int64, systems: int, *, seed: int) -> Float64:
    """Standard error over systems of each metric's mean p-value: the delete-d jackknife with d just above √systems.

    Systems are left out without replacement; drawn with replacement, a system would be compared with its own copy.
    """
    left_out = int(np.sqrt(systems)) + 1
    if systems - left_out < 2 or systems < 5:
        return np.full(len(p), np.nan)
    stream = rng.stream(seed, "systems left out")
    means = np.empty((JACKKNIFED, len(p)))
    for k in range(JACKKNIFED):
        kept = np.ones(systems, np.bool_)
        kept[stream.choice(systems, left_out, replace=False)] = False
        means[k] = p[:, kept[pairs].all(axis=1)].mean(axis=1)
    spread = ((means - means.mean(axis=0)) ** 2).mean(axis=0)
    error: Float64 = np.sqrt((systems - left_out) / left_out * spread)
    return error


@dataclass(frozen=True, kw_only=True)
class UsersNeeded:
    """The users at which the swap rate of a metric falls to 5 %."""

    metric: str
    users: int | None
    """None if it does not fall with the number of users, or not within a hundred times as many as there are."""
    extrapolated: bool
    """True if they are more than the largest sets that were tried, half of the users."""
    at_most: bool = False
    """True if fewer would do: the rate is below 5 % at the smallest sets that were tried."""


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
    if rates[0].rate <= SWAPS_GOAL:
        return UsersNeeded(metric=metric, users=rates[0].users, extrapolated=False, at_most=True)
    for low, high in pairwise(rates):
        if high.rate <= SWAPS_GOAL < low.rate:
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
    share = (rates[0] - np.log(SWAPS_GOAL)) / (rates[0] - rates[1])
    with np.errstate(over="ignore"):
        return float(np.ceil(np.exp(sizes[0] + share * (sizes[1] - sizes[0]))))


def reliability(values: Float64, metrics: Sequence[str]) -> list[Reliability]:
    """The reliability of each metric: `values` are metrics × systems × users; users with an undefined value are left out."""
    rows = []
    for metric, table in zip(metrics, values, strict=True):
        defined = table[:, ~np.isnan(table).any(axis=0)]
        systems, users = defined.shape
        parts = (np.nan, np.nan, np.nan) if systems < 2 or users < 2 else variance_components(defined)
        total = sum(parts)
        relative, absolute = Reliability.at(max(users, 1), *parts)
        needed = None
        if parts[0] > 0:
            needed = max(1, int(np.ceil(RELIABILITY_GOAL / (1 - RELIABILITY_GOAL) * parts[2] / parts[0])))
        shares = [part / total if total > 0 else np.nan for part in parts]
        rows.append(
            Reliability(
                metric=metric,
                users=users,
                of_systems=float(shares[0]),
                of_users=float(shares[1]),
                of_rest=float(shares[2]),
                relative=float(relative),
                absolute=float(absolute),
                users_needed=needed,
            )
        )
    return rows


def variance_components(table: Float64) -> tuple[float, float, float]:
    """σ²_s, σ²_u and σ²_su of systems × users.

    Example: [[1, 2], [3, 6]]: mean squares 9 of systems, 4 of users and 1 of the rest, so (9 − 1)/2 = 4, (4 − 1)/2 = 1.5, 1.
    """
    systems, users = table.shape
    of_system, of_user, mean = table.mean(axis=1), table.mean(axis=0), table.mean()
    between_systems = users * ((of_system - mean) ** 2).sum() / (systems - 1)
    between_users = systems * ((of_user - mean) ** 2).sum() / (users - 1)
    rest = ((table - of_system[:, None] - of_user[None, :] + mean) ** 2).sum() / ((systems - 1) * (users - 1))
    return max(0.0, (between_systems - rest) / users), max(0.0, (between_users - rest) / systems), float(rest)
