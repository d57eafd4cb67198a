"""One metric column of several systems, made one number for each with what must be read beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heldout.aggregate.aggregation import Aggregation
from heldout.aggregate.coverage_rule import CoverageRule
from heldout.aggregate.moments import moments
from heldout.aggregate.undefined_rule import UndefinedRule
from heldout.errors import InputError
from heldout.tables.arrays import Bool, Float64


@dataclass(frozen=True)
class Tally:
    """One system's number and who stands behind it."""

    value: float | None
    """None when no user is left to average."""
    low: float | None
    """Lower end of the confidence interval; None where the aggregation has none or fewer than two users are left."""
    high: float | None
    users: int
    """Users averaged."""
    undefined: int
    """Users, of those the coverage rule includes, whose value the metric leaves undefined (counted 0 or skipped)."""
    user_coverage: float
    """Share of all users with at least one item the system itself scored."""
    user_coverage_ranked: float
    """The same after fallback: share of all users with at least one ranked item."""


def tally(
    values: Float64,
    lengths: Float64,
    *,
    undefined: UndefinedRule,
    coverage: CoverageRule,
    aggregation: Aggregation,
    weights: Float64 | None = None,
    computed: Float64 | None = None,
    level: float = 0.95,
) -> list[Tally]:
    """Aggregate one metric of several systems: `values` and `lengths` are systems × users, users aligned.

    NaN is a value that the metric leaves undefined; `lengths` counts ranked items, `computed` (if not the same) those
    the system scored before any fallback; `weights` has one number per user. The interval is the t interval of the
    mean on the aggregation's scale, mapped back.
    """
    if values.ndim != 2 or values.shape != lengths.shape:
        raise InputError(f"values are {_shape(values)} and lengths {_shape(lengths)}", hint="both must be systems × users")
    scored = lengths if computed is None else computed
    return [
        _tally(row, undefined.apply(row), mask, length, own, aggregation, weights, level)
        for row, mask, length, own in zip(values, coverage.included(list(lengths)), lengths, scored, strict=True)
    ]


def _tally(
    raw: Float64,
    ruled: Float64,
    included: Bool,
    length: Float64,
    scored: Float64,
    aggregation: Aggregation,
    weights: Float64 | None,
    level: float,
) -> Tally:
    kept = included & ~np.isnan(ruled)
    own, weight = ruled[kept], weights[kept] if weights is not None else None
    value = aggregation.aggregate(own[:, None], weight)[0]
    low = high = None
    if aggregation.has_interval:
        ends = moments(aggregation.transform(own), weight).interval(level)
        low, high = (_number(aggregation.inverse(end)) for end in ends)
    n = len(raw)
    return Tally(
        _number(value),
        low,
        high,
        int(kept.sum()),
        int(np.isnan(raw[included]).sum()),
        float((scored > 0).sum() / n) if n else 0.0,
        float((length > 0).sum() / n) if n else 0.0,
    )


def _number(value: Float64 | np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def _shape(array: Float64) -> str:
    return " × ".join(str(n) for n in array.shape)
