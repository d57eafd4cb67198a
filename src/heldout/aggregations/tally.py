"""One metric column of several systems, made one number for each with what must be read beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heldout.aggregations.aggregation import Aggregation, check_weights
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.moments import moments
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.aggregations.values import UserValues
from heldout.errors import InputError
from heldout.tables.arrays import Bool, Float64


@dataclass(frozen=True, kw_only=True)
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


def arrange(
    values: Float64,
    lengths: Float64,
    *,
    undefined: UndefinedRule,
    coverage: CoverageRule,
    aggregation: Aggregation,
    systems: Sequence[str] = (),
    weights: Float64 | None = None,
    counts: Mapping[str, Float64] | None = None,
    denominator: Float64 | None = None,
    pool: str = "",
    baseline: str | None = None,
    higher_is_better: bool = True,
) -> UserValues:
    """One metric of several systems after both rules and the aggregation's own preparation.

    `values` and `lengths` are systems × users, users aligned; NaN is a value that the metric leaves undefined, `lengths`
    counts ranked items; `weights` and each of `counts` have one number per user, `denominator` one or systems × users.
    """
    if values.ndim != 2 or values.shape != lengths.shape:
        raise InputError(found=[_shape(values), _shape(lengths)], expected="values and lengths of systems × users")
    if weights is not None:
        check_weights(weights, values.shape[1])
    return prepare_values(
        undefined.apply(values),
        np.array(coverage.included(list(lengths)), dtype=np.bool_).reshape(values.shape),
        aggregation=aggregation,
        systems=systems,
        weights=weights,
        counts=counts,
        denominator=denominator,
        pool=pool,
        baseline=baseline,
        higher_is_better=higher_is_better,
    )


def prepare_values(
    values: Float64,
    included: Bool,
    *,
    aggregation: Aggregation,
    systems: Sequence[str] = (),
    weights: Float64 | None = None,
    counts: Mapping[str, Float64] | None = None,
    denominator: Float64 | None = None,
    pool: str = "",
    baseline: str | None = None,
    higher_is_better: bool = True,
) -> UserValues:
    """The aggregation's own preparation of values that both rules were applied to; see `arrange`."""
    if denominator is not None:
        # A value the metric leaves undefined has no denominator, whatever it counts as in a mean.
        values = np.where(np.isnan(values) & (denominator == 0), 0.0, values)
    return aggregation.prepare(
        UserValues(
            systems=tuple(systems) or tuple(f"system {k + 1}" for k in range(len(values))),
            values=values,
            included=included,
            by=aggregation,
            weights=weights,
            counts=counts or {},
            denominator=denominator,
            pool=pool,
            baseline=baseline,
            higher_is_better=higher_is_better,
        )
    )


def tally_of(
    arranged: UserValues, raw: Float64, lengths: Float64, *, computed: Float64 | None = None, level: float = 0.95
) -> list[Tally]:
    """The number of every system from arranged values.

    `raw` are the values before any rule; `computed` counts the items that the system scored before any fallback, if not
    the same as `lengths`. The interval is the t interval of the mean on the aggregation's scale, mapped back.
    """
    scored = lengths if computed is None else computed
    tallies = [_tally(arranged, k, raw[k], lengths[k], scored[k], level) for k in range(len(raw))]
    if arranged.totals is None:
        return tallies
    return [replace(tally, value=_number(total)) for tally, total in zip(tallies, arranged.totals, strict=True)]


def _tally(arranged: UserValues, system: int, raw: Float64, length: Float64, scored: Float64, level: float) -> Tally:
    kept, included = arranged.kept[system], arranged.included[system]
    own, weight = arranged.values[system, kept], arranged.weights_of(system, kept)
    value = low = high = None
    if arranged.totals is None:
        spread = moments(arranged.by.transform(own), weight) if arranged.by.has_interval else None
        # The value that `heldout.significance.batches` has of many metrics at once.
        mean = arranged.by.inverse(spread.mean) if spread is not None and arranged.by.is_mean else None
        value = _number(arranged.by.aggregate(own[:, None], weight)[0] if mean is None else mean)
        if spread is not None:
            low, high = (_number(arranged.by.inverse(end)) for end in spread.interval(level))
    n = len(raw)
    return Tally(
        value=value,
        low=low,
        high=high,
        users=int(kept.sum()),
        undefined=int(np.isnan(raw[included]).sum()),
        user_coverage=float((scored > 0).sum() / n) if n else 0.0,
        user_coverage_ranked=float((length > 0).sum() / n) if n else 0.0,
    )


def _number(value: Float64 | np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def _shape(array: Float64) -> str:
    return " × ".join(str(n) for n in array.shape)
