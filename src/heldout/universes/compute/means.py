"""Means of all metrics compared in one pass: what a universe says under an aggregation that is a mean on some scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.moments import ONE_USER, effective_size
from heldout.significance.differences import ROUNDING
from heldout.significance.sign import Sign, sign_p
from heldout.significance.significance_test import Test
from heldout.significance.t import PairedT
from heldout.study.spec import Study
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.targets.target import Target
from heldout.universes.compute.block import Block
from heldout.universes.compute.columns import Columns

Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Statistics:
    """Of some metrics under one aggregation and two rules: `values` is metrics × systems, the others metrics × pairs.

    Differences are first less second, whichever is better.
    """

    values: Float64
    difference: Float64
    d: Float64
    magnitude: Float64
    """The sum of both values' magnitudes, over the users compared."""
    tests: dict[int, tuple[Float64, Float64]] = field(default_factory=dict)
    """By the place of a test: p, and what it compared (above 0 where that is greater for the first)."""
    higher: Bool | None = None
    """By metric, whether higher values are better, where the aggregation says: gains over a baseline are, whatever the
    metric; None where that is as the metrics have it."""

    @classmethod
    def empty(cls, metrics: int, systems: int, pairs: int, tests: Sequence[int]) -> Statistics:
        """All unknown."""
        unknown = np.full((metrics, pairs), np.nan)
        made = {k: (unknown.copy(), unknown.copy()) for k in tests}
        return cls(np.full((metrics, systems), np.nan), unknown.copy(), unknown.copy(), unknown.copy(), made)


def statistics_of(
    study: Study,
    columns: Columns,
    block: Block,
    option: Aggregation,
    asked: Sequence[tuple[int, Test]],
    pairs: Pairs,
    target: Target,
) -> Statistics:
    """What the systems' means are and how they differ, for every metric of the columns."""
    weights = block.list_weights() if target.by_rating else None
    if option.user_weight is not None:
        weights = block.weights_of(option.user_weight)
    rows = columns.scaled(block, option)
    width = next(len(one) for one in rows if one is not None)
    made = Statistics.empty(width, len(rows), len(pairs), [k for k, _ in asked])
    for places, kept in columns.groups:
        for k, one in enumerate(rows):
            if one is not None and kept[k].any():
                made.values[places, k] = option.inverse(_means(_taken(one, places, kept[k]), weights, kept[k]))
        for mask, numbers in _by_users(kept, rows, pairs):
            _compare(study, made, rows, places, mask, weights, option, asked, pairs, numbers)
    return made


def _compare(
    study: Study,
    made: Statistics,
    rows: Sequence[Float64 | None],
    places: list[int],
    mask: Bool,
    weights: Float64 | None,
    option: Aggregation,
    asked: Sequence[tuple[int, Test]],
    pairs: Pairs,
    numbers: list[int],
) -> None:
    """Compare pairs of systems on one set of users, and enter what comes of it."""
    from heldout.kernels.paired import spread_of_differences

    systems = sorted({k for n in numbers for k in pairs[n]})
    taken = {k: _taken(rows[k], places, mask) for k in systems}  # type: ignore[arg-type]
    value = {k: option.inverse(_means(one, weights, mask)) for k, one in taken.items()}
    share, size = _shares(weights, mask)
    testable = int(mask.sum()) >= 2 and size > ONE_USER
    m = len(places)
    for n in numbers:
        a, b = pairs[n]
        made.difference[places, n] = value[a] - value[b]
        made.magnitude[places, n] = np.abs(value[a]) + np.abs(value[b])
        if not testable:
            made.d[places, n] = np.where((taken[a] == taken[b]).all(axis=1), 0.0, np.nan)
            continue
        mean, square = np.empty((m, 1)), np.empty((m, 1))
        wins, losses = np.empty(m), np.empty(m)
        spread_of_differences(taken[a], taken[b], share, ROUNDING, mean, square, wins, losses)
        mean, deviation = mean[:, 0], np.sqrt(square[:, 0] * (size / (size - 1.0)))
        some = wins + losses > 0
        spread = deviation > 1e-14 * np.abs(mean)
        made.d[places, n] = np.where(some, np.divide(mean, deviation, out=np.full(m, np.nan), where=spread), 0.0)
        for number, test in asked:
            p, direction = made.tests[number]
            if isinstance(test, PairedT):
                p[places, n] = _t_p(mean, deviation, size, some)
            elif isinstance(test, Sign):
                p[places, n] = sign_p(wins, losses, test.alternative)
            direction[places, n] = wins - losses if test.compares == "ranks" else value[a] - value[b]
    others = [(k, t) for k, t in asked if not isinstance(t, PairedT | Sign)]
    if testable and others:
        _test_columns(study, made, taken, places, weights, mask, others, pairs, numbers)


def _test_columns(
    study: Study,
    made: Statistics,
    taken: dict[int, Float64],
    places: list[int],
    weights: Float64 | None,
    mask: Bool,
    tests: Sequence[tuple[int, Test]],
    pairs: Pairs,
    numbers: list[int],
) -> None:
    """Any other test, on all metrics and pairs together."""
    m, systems = len(places), list(taken)
    stacked = np.concatenate([taken[k] for k in systems])
    start = {k: at * m for at, k in enumerate(systems)}
    asked: Int64 = np.array(
        [(start[pairs[n][0]] + i, start[pairs[n][1]] + i) for n in numbers for i in range(m)], dtype=np.int64
    )
    weighed = {} if weights is None else {"weights": weights[mask]}
    for number, test in tests:
        p = test.p_values(stacked.T, asked, seed=study.seed, **weighed)
        made.tests[number][0][np.ix_(places, numbers)] = p.reshape(len(numbers), m).T


def _t_p(mean: Float64, deviation: Float64, size: float, some: Bool) -> Float64:
    """Two-sided p of the paired t test."""
    from scipy.special import stdtr

    error = deviation / np.sqrt(size)
    t = np.divide(np.abs(mean), error, out=np.full(len(mean), np.inf), where=error > 0)
    p: Float64 = np.minimum(1.0, 2.0 * stdtr(size - 1.0, -np.where(some, t, 0.0)))
    return p


def _by_users(kept: Bool, rows: Sequence[Float64 | None], pairs: Pairs) -> list[tuple[Bool, list[int]]]:
    """Pairs that are compared on the same users, with these users; pairs with a system that failed are in none."""
    found: dict[bytes, tuple[Bool, list[int]]] = {}
    for n, (a, b) in enumerate(pairs):
        if rows[a] is None or rows[b] is None:
            continue
        mask = kept[a] & kept[b]
        if mask.any():
            found.setdefault(mask.tobytes(), (mask, []))[1].append(n)
    return list(found.values())


def _taken(rows: Float64, places: list[int], mask: Bool) -> Float64:
    """Some rows of some users, contiguous; without a copy where these are all."""
    made = rows if len(places) == len(rows) else rows[places]
    return np.ascontiguousarray(made if mask.all() else made[:, mask])


def _shares(weights: Float64 | None, mask: Bool) -> tuple[Float64, float]:
    """What each user's value counts for (adding up to 1), and how many equal users that stands for."""
    n = int(mask.sum())
    if weights is None:
        return np.full((1, n), 1.0 / max(n, 1)), float(n)
    own = weights[mask]
    total = own.sum()
    return (own / total if total > 0 else np.full(n, np.nan))[None, :].copy(), effective_size(own)


def _means(rows: Float64, weights: Float64 | None, mask: Bool) -> Float64:
    from heldout.kernels.paired import weighted_means

    share, _ = _shares(weights, mask)
    out = np.empty((len(rows), 1))
    weighted_means(rows, share, out)
    return out[:, 0]
