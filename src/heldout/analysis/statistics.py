"""The aligned table aggregated: rules, folds, weights and denominators, then one number for each system.

Every number of a study, an evaluation, a search and a multiverse comes through here. A study asks for one metric at a time
(`SettingAggregation`), a multiverse for all metrics at once (`value_batches`); both apply the rules by `rule_scores` and
compare systems by `heldout.significance.batches`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.of_system import OF_SYSTEM
from heldout.aggregations.tally import Tally, prepare_values, tally_of
from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.aggregations.values import UserValues
from heldout.analysis.alignment import AlignedScores
from heldout.data.user_columns import user_column
from heldout.errors import HeldoutError, NotApplicableError, SpecError
from heldout.metrics.metric import Metric
from heldout.significance.pairs import SettingValues
from heldout.significance.value_batch import ScaledValues, ValueBatch
from heldout.study.applicability import aggregation_refusal
from heldout.tables.arrays import Bool, Float64, Int64, digest_of
from heldout.targets.target import Target

ENOUGH = 0.5
"""Share of users that every system must serve before one of the systems is called the winner."""
SKIP: UndefinedRule = SkipUndefined()


@dataclass(frozen=True, eq=False, kw_only=True)
class RuledScores:
    """Some metrics after the rules for undefined values and users without a list, folds averaged."""

    values: ScaledValues
    """Systems × metrics × rows; NaN is a row to skip."""
    included: Bool
    """Systems × rows: whom the coverage rule averages."""
    cells: Bool
    """Systems × cells: the same before folds are averaged."""

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same users in the same folds: under one rule for undefined values, all else follows."""
        return digest_of(np.packbits(self.included), np.packbits(self.cells))


def defined_values(table: AlignedScores, metrics: Sequence[str], undefined: UndefinedRule) -> ScaledValues:
    """Systems × metrics × cells under a rule for undefined values."""
    every = tuple(metrics) == table.metrics
    # np.take lays the metrics of a system side by side; an index in brackets might lay them apart.
    values = table.values if every else np.take(table.values, [table.metrics.index(name) for name in metrics], axis=1)
    return ScaledValues(undefined.apply(values))


def rule_scores(
    table: AlignedScores, defined: ScaledValues, coverage: CoverageRule, weights: Float64 | None = None
) -> RuledScores:
    """Apply a rule for uncovered users to values that `defined_values` made, and average folds.

    Over several folds both rules hold in each fold, before a user's values are averaged: what is undefined in one fold
    counts 0 there or is skipped there, and so does a fold in which a system covers the user not at all. `weights` are of
    cells, or systems × cells, where folds weigh by their lists or denominators.
    """
    cells = _included(coverage, table.length)
    if table.one_fold:
        return RuledScores(values=defined, included=cells, cells=cells)
    values = np.empty((*defined.values.shape[:2], len(table)))
    some = np.empty((len(values), len(table)))
    for k, columns in enumerate(defined.values):
        own = weights[k] if weights is not None and weights.ndim == 2 else weights
        values[k] = table.over_folds(columns, cells[k], own)
        some[k] = table.summed(cells[k]) > 0
    return RuledScores(values=ScaledValues(values), included=_included(coverage, some), cells=cells)


def _included(coverage: CoverageRule, lengths: Float64) -> Bool:
    return np.array(coverage.included(list(lengths)), dtype=np.bool_).reshape(lengths.shape)


@dataclass(frozen=True, eq=False, kw_only=True)
class SettingAggregation:
    """One metric of a table under one aggregation; only the rule for users without a list is still open."""

    table: AlignedScores
    target: Target
    metric: Metric
    aggregation: Aggregation
    undefined: UndefinedRule
    baseline: str | None
    """The system that others are compared with, if it is in the table."""

    def user_values(self, coverage: CoverageRule) -> UserValues:
        """What is averaged and tested under a coverage rule; NotApplicableError where the aggregation does not apply."""
        return self.prepared(self._ruled(coverage))

    def tallies(self, coverage: CoverageRule, level: float) -> tuple[UserValues, list[Tally]]:
        """What is averaged and tested under a coverage rule, and each system's number with its interval."""
        table, ruled = self.table, self._ruled(coverage)
        prepared = self.prepared(ruled)
        own = table.values[:, table.metrics.index(str(self.metric))]
        undefined = np.stack([table.summed(np.isnan(row) & kept) > 0 for row, kept in zip(own, ruled.cells, strict=True)])
        length = table.length if table.one_fold else np.stack([table.summed(kept) for kept in ruled.cells])
        computed = np.stack([table.summed(row) for row in table.computed])
        return prepared, tally_of(prepared, np.where(undefined, np.nan, 0.0), length, computed=computed, level=level)

    def _ruled(self, coverage: CoverageRule) -> RuledScores:
        table, name = self.table, str(self.metric)
        weights = table.lists if self._list_weights() is not None else None
        if self.aggregation.pools_ratios and name in table.denominators:
            weights = table.denominators[name]
        return rule_scores(table, defined_values(table, [name], self.undefined), coverage, weights)

    def prepared(self, ruled: RuledScores) -> UserValues:
        """What is averaged and tested of the first of these metrics."""
        metric = self.metric
        try:
            return prepare_values(
                ruled.values.values[:, 0],
                ruled.included,
                aggregation=self.aggregation if metric.per_user else OF_SYSTEM,
                systems=self.table.systems,
                weights=self._list_weights(),
                counts=_counts(self.table, self.aggregation),
                denominator=self._denominator(),
                pool=metric.pooling,
                baseline=self.baseline if self.baseline in self.table.systems else None,
                higher_is_better=metric.direction == "higher",
            )
        except HeldoutError as error:
            raise error.within(f"aggregate {metric}") from None

    def _list_weights(self) -> Float64 | None:
        return list_weights(self.table, self.target, self.aggregation) if self.metric.per_user else None

    def _denominator(self) -> Float64 | None:
        """Systems × rows: what the metric divides by, summed over folds, where ratios are pooled."""
        if not self.aggregation.pools_ratios or self.target.single:
            return None
        kept = self.table.denominators.get(str(self.metric))
        if kept is None and self.metric.pooling:
            raise NotApplicableError(
                "these results were kept without the denominators that pooling needs",
                hint='run the study again with "pooled" under aggregate',
            )
        return None if kept is None else np.stack([self.table.summed(column) for column in kept])

    def refusal(self) -> str:
        """Why the aggregation does not apply to the metric, as far as can be told without its values; empty where it does.

        SpecError where it needs a baseline that is not there.
        """
        systems = self.table.systems
        baseline = self.baseline if self.baseline in systems else None
        return aggregation_refusal(self.aggregation, self.metric, self.target, systems, baseline, sure=False)


@dataclass(frozen=True, eq=False)
class MetricBatch:
    """Metrics that are aggregated and compared together."""

    places: Int64
    """Their places among the metrics asked for."""
    batch: ValueBatch
    higher_is_better: Bool


def value_batches(
    settings: Sequence[SettingAggregation], ruled: RuledScores, coverage: CoverageRule, *, complete: bool = True
) -> list[MetricBatch]:
    """What is compared of several metrics of one table under one aggregation; `ruled` are their values.

    All metrics are one batch under a mean of each column alone: what it prepares of one metric holds for all. What an
    aggregation does not apply to is in no batch; where systems failed (not `complete`), nor is what asks for one of them.
    """
    if settings and settings[0].aggregation.is_mean and all(setting.metric.per_user for setting in settings):
        try:
            prepared = settings[0].prepared(ruled)
        except NotApplicableError:
            return []
        together = ValueBatch(
            name=str(settings[0].aggregation),
            values=ruled.values,
            included=prepared.included,
            aggregation=prepared.by,
            weights=prepared.weights,
            user_groups=settings[0].table.user_groups,
        )
        higher = np.array([setting.metric.direction == "higher" for setting in settings], dtype=np.bool_)
        return [MetricBatch(np.arange(len(settings)), together, higher)]
    batches = []
    for place, setting in enumerate(settings):
        try:
            if setting.refusal():
                continue
            prepared = setting.user_values(coverage)
        except NotApplicableError:
            continue
        except SpecError:
            if complete:
                raise
            continue
        name = f"{setting.metric}, {setting.aggregation}"
        alone = SettingValues.of(name, prepared, setting.table.user_groups).batch()
        batches.append(MetricBatch(np.array([place]), alone, np.array([prepared.higher_is_better])))
    return batches


def list_weights(table: AlignedScores, target: Target, aggregation: Aggregation) -> Float64 | None:
    """What each row counts for by its lists, or their shares of popularity classes; None where all count the same."""
    if target.by_rating or (target.single and aggregation.pools_ratios):
        return table.list_weights
    return None


def _counts(table: AlignedScores, aggregation: Aggregation) -> Mapping[str, Float64]:
    weight = aggregation.user_weight
    if weight is not None and weight.table is not None:
        return {weight.column: user_column(weight.table, weight.column, table.user_ids)}
    return table.counts


@dataclass(frozen=True)
class Served:
    """The users of a setting, those whom every system recommends something to, and every system's value both ways."""

    users: int
    served: int
    """Users with a list of every system, after any fallback."""
    as_zero: tuple[float | None, ...] = ()
    """By system: the value over all users, the unserved counted as the metric counts an empty list; empty where all are
    served."""
    common: tuple[float | None, ...] = ()
    """By system: the value over the users that every system serves."""

    @property
    def share(self) -> float:
        """The share of users that every system serves."""
        return self.served / self.users if self.users else 1.0

    @property
    def few(self) -> bool:
        """Whether too few users are served for a winner."""
        return self.share < ENOUGH

    def best(self, values: Sequence[float | None], *, higher: bool) -> list[int]:
        """The systems, by place, that have the best of these values."""
        numbers = [v for v in values if v is not None]
        top = (max(numbers) if higher else min(numbers)) if numbers else None
        return [k for k, v in enumerate(values) if v is not None and v == top]

    def depends(self, leader: int, *, higher: bool) -> bool:
        """Whether the leader would be another system if the unserved counted as zero, or if they were left out."""
        both = [values for values in (self.as_zero, self.common) if any(v is not None for v in values)]
        return any(leader not in self.best(values, higher=higher) for values in both)


def users_served(table: AlignedScores) -> tuple[int, int]:
    """How many users there are, and how many have a list of every system in every fold that tests them."""
    return len(table), int(table.served.all(axis=0).sum())
