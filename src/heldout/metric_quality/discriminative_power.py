"""How many systems a metric tells apart: p-values of all pairs of systems (Sakai 2006; Lu, Moffat and Culpepper 2016;
Valcarce et al. 2018).

All pairs of all metrics are tested by the permutation test with the same sign flips, without a correction: what is
compared are metrics, not systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heldout import rng
from heldout.metric_quality.complete_users import complete_tables
from heldout.significance.permutation import Permutation
from heldout.tables.arrays import Bool, Float64, Int64

FLIPS = 100_000
HALVED_FLIPS = 10_000
HALVINGS = 5
JACKKNIFED = 400


@dataclass(frozen=True, kw_only=True)
class DiscriminativePower:
    """How well one metric separates the systems."""

    metric: str
    pairs: int
    users: int
    total: float
    """DP, the sum of the p-values of all pairs: lower is better."""
    mean: float
    """DP ÷ pairs, which can be compared between sets of systems."""
    mean_error: float
    """Standard error of the mean over systems, by the jackknife; NaN with fewer than five systems."""
    significant: float
    """The share of pairs with p below the level (Sakai)."""
    median: float
    """The median p-value (Lu)."""
    half_mean: float
    """The mean p-value on half of the users."""
    half_error: float
    """How far disjoint halves of the users differ in it: the standard deviation."""
    curve: tuple[float, ...]
    """The p-values in ascending order."""


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
    """Metrics × pairs; NaN where no user has a value of every system. All metrics share the flips of their users.

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
