"""The aligned table aggregated: rules, folds, weights and denominators, then one number for each system.

Every number of a study, an evaluation, a search and a multiverse comes through here. A study asks for one metric at a time
(`SettingAggregation`), a multiverse for all metrics at once (`value_batches`); both apply the rules by `rule_scores` and
compare systems by `heldout.significance.batches`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.of_system import OF_SYSTEM
from heldout.aggregations.tally import Averaged, Tally, prepare_values, tallies
from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.aggregations.values import UserValues
from heldout.analysis.alignment import AlignedScores
from heldout.analysis.stored_scores import StoredScores
from heldout.data.side import user_column
from heldout.errors import HeldoutError, NotApplicableError, SpecError
from heldout.metrics.metric import Metric
from heldout.significance.value_batch import ScaledValues, ValueBatch
from heldout.study.applicability import aggregation_refusal
from heldout.tables.arrays import Bool, Float64, Int64, digest_of
from heldout.tables.blocks import is_large
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


class _AllUsersNeeded(Exception):
    """Raised if blocks of users cannot be prepared apart from one another."""


@dataclass(eq=False, kw_only=True)
class SettingAggregation:
    """One metric of a table under one aggregation; only the rule for users without a list is still open."""

    table: AlignedScores | StoredScores
    target: Target
    metric: Metric
    aggregation: Aggregation
    undefined: UndefinedRule
    baseline: str | None
    """The system that others are compared with, if it is in the table."""

    @cached_property
    def in_memory(self) -> AlignedScores:
        """The table in memory; of stored users, with this metric alone."""
        return (
            self.table if isinstance(self.table, AlignedScores) else self.table.table([str(self.metric)], self._weighed_by)
        )

    @property
    def _by(self) -> Aggregation:
        """What makes one number of the users' values."""
        return self.aggregation if self.metric.per_user else OF_SYSTEM

    @property
    def _weighed_by(self) -> tuple[str, ...]:
        """The counts of users that the aggregation weighs them by."""
        weight = self.aggregation.user_weight
        return () if weight is None or weight.table is not None else (weight.column,)

    def user_values(self, coverage: CoverageRule) -> UserValues:
        """What is averaged and tested under a coverage rule; NotApplicableError where the aggregation does not apply."""
        return self.prepared(self._ruled(coverage))

    def averaged(self, coverage: CoverageRule) -> Averaged:
        """What is averaged and tested under a coverage rule, and what is counted of the same users."""
        table, ruled = self.in_memory, self._ruled(coverage)
        own = table.values[:, table.metrics.index(str(self.metric))]
        undefined = np.stack([table.summed(np.isnan(row) & kept) > 0 for row, kept in zip(own, ruled.cells, strict=True)])
        length = table.length if table.one_fold else np.stack([table.summed(kept) for kept in ruled.cells])
        computed = np.stack([table.summed(row) for row in table.computed])
        return Averaged(values=self.prepared(ruled), undefined=undefined, listed=length > 0, scored=computed > 0)

    def blocks(self, coverage: CoverageRule) -> Iterator[tuple[Averaged, AlignedScores]]:
        """What is averaged and counted of each block of stored users; they must be prepared apart from one another."""
        assert isinstance(self.table, StoredScores)
        for table in self.table.blocks([str(self.metric)], self._weighed_by):
            if self._without_weight(table):
                raise _AllUsersNeeded
            yield replace(self, table=table).averaged(coverage), table

    def _without_weight(self, table: AlignedScores) -> bool:
        """True if users are weighed and none of the table has any weight, which refuses a whole table only."""
        weight = self.aggregation.user_weight
        weights = None if weight is None else _counts(table, self.aggregation).get(weight.column)
        return weights is not None and not weights.any()

    def aggregate(self, coverage: CoverageRule, level: float) -> Aggregated:
        """What is averaged and tested under a coverage rule, and each system's number with its interval."""
        if isinstance(self.table, StoredScores) and self._by.by_user:
            try:
                return self._aggregated_by_block(coverage, level)
            except _AllUsersNeeded:
                pass
            except HeldoutError as of_block:
                self._aggregated_at_once(coverage, level)  # which raises the same with the counts of all users
                raise of_block
        return self._aggregated_at_once(coverage, level)

    def _aggregated_at_once(self, coverage: CoverageRule, level: float) -> Aggregated:
        users = self.averaged(coverage)
        return Aggregated(values=users.values, tallies=tallies(users.blocks(), level, users.values))

    def _aggregated_by_block(self, coverage: CoverageRule, level: float) -> Aggregated:
        """The same from one block of users at a time; _AllUsersNeeded if a block cannot be prepared without the others."""
        shape, sets = None, np.zeros(len(self.table.systems), dtype=np.uint64)

        def users() -> Iterator[Averaged]:
            nonlocal shape
            for block, table in self.blocks(coverage):
                if block.values.weights is not None and block.values.weights.ndim == 2:
                    raise _AllUsersNeeded  # each system divides by its own denominators
                sets[:] += user_sets(block.values.kept, table.user_hashes)
                shape = block.values.of_rows(slice(0, 0))
                yield block

        of_systems = tallies(users(), level)
        assert shape is not None  # there is a block
        return Aggregated(values=shape, tallies=of_systems, sets=sets, stored=StoredUserValues(self, coverage))

    def _ruled(self, coverage: CoverageRule) -> RuledScores:
        table, name = self.in_memory, str(self.metric)
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
                aggregation=self._by,
                systems=self.table.systems,
                weights=self._list_weights(),
                counts=_counts(self.in_memory, self.aggregation),
                denominator=self._denominator(),
                pool=metric.pooling,
                baseline=self.baseline if self.baseline in self.table.systems else None,
                higher_is_better=metric.direction == "higher",
            )
        except HeldoutError as error:
            raise error.within(f"aggregate {metric}") from None

    def _list_weights(self) -> Float64 | None:
        return list_weights(self.in_memory, self.target, self.aggregation) if self.metric.per_user else None

    def _denominator(self) -> Float64 | None:
        """Systems × rows: what the metric divides by, summed over folds, where ratios are pooled."""
        if not self.aggregation.pools_ratios or self.target.single:
            return None
        kept = self.in_memory.denominators.get(str(self.metric))
        if kept is None and self.metric.pooling:
            raise NotApplicableError(
                "these results were kept without the denominators that pooling needs",
                hint='run the study again with "pooled" under aggregate',
            )
        return None if kept is None else np.stack([self.in_memory.summed(column) for column in kept])

    def refusal(self) -> str:
        """Why the aggregation does not apply to the metric, as far as can be told without its values; empty where it does.

        SpecError where it needs a baseline that is not there.
        """
        systems = self.table.systems
        baseline = self.baseline if self.baseline in systems else None
        return aggregation_refusal(self.aggregation, self.metric, self.target, systems, baseline, sure=False)


def user_sets(kept: Bool, hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """By system, the sum of the hashes of the users kept: the same for the same users, in whatever order or pieces."""
    sets: NDArray[np.uint64] = np.where(kept, hashes, np.uint64(0)).sum(axis=1, dtype=np.uint64)
    return sets


@dataclass(frozen=True, eq=False, kw_only=True)
class Aggregated:
    """What one setting makes of the users' values."""

    values: UserValues
    """What is averaged and tested; without users if these are stored."""
    tallies: list[Tally]
    sets: NDArray[np.uint64] | None = None
    """By system, as `user_sets`, of users that are stored."""
    stored: StoredUserValues | None = None


@dataclass(frozen=True, eq=False)
class StoredUserValues:
    """The values of one setting, of users who are stored."""

    aggregation: SettingAggregation
    coverage: CoverageRule

    def blocks(self) -> Iterator[ValueBatch]:
        """The blocks of users, read one after the other."""
        for block, table in self.aggregation.blocks(self.coverage):
            yield self._batch(block.values, table.user_groups)

    def whole(self) -> ValueBatch:
        """The values of all users."""
        whole = replace(self.aggregation)  # which is not kept in memory
        return self._batch(whole.user_values(self.coverage), whole.in_memory.user_groups)

    def _batch(self, values: UserValues, groups: Int64) -> ValueBatch:
        return ValueBatch.of(f"{self.aggregation.metric}, {self.aggregation.aggregation}", values, groups)


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
            user_groups=groups_if_large(settings[0].table),
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
        alone = ValueBatch.of(name, prepared, groups_if_large(setting.table))
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


def groups_if_large(table: AlignedScores | StoredScores) -> Int64 | None:
    """The groups of users by the hash of their ids if there is more than one block of users: else nothing asks for them."""
    return table.user_groups if is_large(len(table)) else None
