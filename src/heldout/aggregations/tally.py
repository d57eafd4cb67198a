"""One metric column of several systems, made one number for each with what must be read beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from heldout.aggregations.aggregation import Aggregation, check_weights
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.moments import Moments, merge, moments, stacked
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.aggregations.values import UserValues
from heldout.errors import InputError
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.blocks import block_slices


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Averaged:
    """What is averaged of some users under one setting, and what is counted of them; all of it systems × users."""

    values: UserValues
    undefined: Bool
    """Whether the metric leaves the user's value undefined."""
    listed: Bool
    """Whether the user has a list of at least one item."""
    scored: Bool
    """Whether the system itself scored at least one of them, before any fallback."""

    def blocks(self) -> Iterator[Averaged]:
        """The blocks of users that are added up one by one."""
        slices = block_slices(self.listed.shape[1])
        for rows in slices if len(slices) > 1 else ():
            yield Averaged(
                values=self.values.of_rows(rows),
                undefined=self.undefined[:, rows],
                listed=self.listed[:, rows],
                scored=self.scored[:, rows],
            )
        if len(slices) == 1:
            yield self


def tally_of(
    arranged: UserValues, raw: Float64, lengths: Float64, *, computed: Float64 | None = None, level: float = 0.95
) -> list[Tally]:
    """The number of every system from arranged values.

    `raw` are the values before any rule; `computed` counts the items that the system scored before any fallback, if not
    the same as `lengths`. The interval is the t interval of the mean on the aggregation's scale, mapped back.
    """
    scored = lengths if computed is None else computed
    users = Averaged(values=arranged, undefined=np.isnan(raw), listed=lengths > 0, scored=scored > 0)
    return tallies(users.blocks(), level, arranged)


def tallies(blocks: Iterable[Averaged], level: float, everyone: UserValues | None = None) -> list[Tally]:
    """The number of every system from blocks of users; `everyone` is needed unless it is a mean."""
    sums = [_block_sums(block) for block in blocks]
    by, counts = sums[0].by, np.sum([block.counts for block in sums], axis=0).astype(np.int64)
    low = high = value = np.full(counts.shape[1], np.nan)
    if sums[0].moments is not None:
        spread = merge([block.moments for block in sums if block.moments is not None])
        value = by.inverse(spread.mean)
        if by.has_interval:
            low, high = (by.inverse(end) for end in spread.interval(level))
    if everyone is not None and everyone.totals is not None:
        value = everyone.totals
    elif everyone is not None and not by.is_mean:
        rows = zip(everyone.values, everyone.kept, strict=True)
        value = np.array(
            [by.aggregate(row[kept][:, None], everyone.weights_of(k, kept))[0] for k, (row, kept) in enumerate(rows)]
        )
    n = int(counts[-1, 0]) if counts.size else 0
    return [
        Tally(
            value=_number(value[k]),
            low=_number(low[k]),
            high=_number(high[k]),
            users=int(kept),
            undefined=int(undefined),
            user_coverage=float(scored / n) if n else 0.0,
            user_coverage_ranked=float(listed / n) if n else 0.0,
        )
        for k, (kept, undefined, scored, listed, _) in enumerate(counts.T)
    ]


@dataclass(frozen=True, eq=False)
class _BlockSums:
    """What some users add up to."""

    by: Aggregation
    counts: Int64
    """5 × systems: users averaged, undefined, scored, listed, and all."""
    moments: Moments | None
    """By system; None if the aggregation is not a mean of each system's own values."""


def _block_sums(block: Averaged) -> _BlockSums:
    values, kept = block.values, block.values.kept
    rows = (kept, block.undefined & values.included, block.scored, block.listed, np.ones_like(kept))
    counts: Int64 = np.array([row.sum(axis=1) for row in rows], dtype=np.int64)
    if values.totals is not None or not (values.by.is_mean or values.by.has_interval):
        return _BlockSums(values.by, counts, None)
    of_systems = [
        moments(values.by.transform(row[own]), values.weights_of(k, own))
        for k, (row, own) in enumerate(zip(values.values, kept, strict=True))
    ]
    return _BlockSums(values.by, counts, stacked(of_systems))


def _number(value: Float64 | np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def _shape(array: Float64) -> str:
    return " × ".join(str(n) for n in array.shape)
