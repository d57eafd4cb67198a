"""Every setting of an analysis: each metric × aggregation × rule of each protocol, aggregated."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage.intersection import Intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.moments import effective_size
from heldout.aggregations.tally import Tally
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.aggregations.values import UserValues
from heldout.analysis.alignment import AlignedScores
from heldout.analysis.served_users import Served, users_served
from heldout.analysis.statistics import SKIP, SettingAggregation
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.metric import Metric
from heldout.significance.pairs import PairComparison, SettingValues
from heldout.significance.significance_test import Layout
from heldout.study.analysis import Analysis
from heldout.tables import ProtocolKey


@dataclass(kw_only=True)
class SettingNumbers(ABC):
    """One setting: a protocol, a metric, how users become one number, and what came of it."""

    coverage: str
    tallies: list[Tally]
    descriptive: bool = False
    """Whether the metric only describes lists."""
    bound: bool = False
    """Whether values are the end of an interval."""
    pairs: list[PairComparison] = field(default_factory=list)
    """The systems compared, once `compare_settings` did."""
    layouts: dict[str, Layout] = field(default_factory=dict)
    """By test of all systems at once, what it says of them together."""

    @property
    @abstractmethod
    def protocol(self) -> ProtocolKey:
        """The choices under which lists were made and judged."""

    @property
    @abstractmethod
    def systems(self) -> tuple[str, ...]:
        """The systems that the metric was measured of, in the order of values and tallies."""

    @property
    @abstractmethod
    def metric(self) -> Metric:
        """The metric that is aggregated."""

    @property
    @abstractmethod
    def aggregate(self) -> str:
        """The text form of the aggregation."""

    @property
    @abstractmethod
    def undefined(self) -> str:
        """The text form of the rule for undefined values."""

    @property
    def higher_is_better(self) -> bool:
        """Whether the larger value is the better one."""
        return self.metric.direction == "higher"

    @property
    def contest(self) -> bool:
        """Whether systems are compared here."""
        return not (self.descriptive or self.bound)

    @abstractmethod
    def share(self, metric: str, system: int) -> float | None:
        """The mean of one system's defined values of another metric; None where it was not measured."""

    @abstractmethod
    def covered(self, system: int) -> float:
        """The share of users for whom the system itself scored something."""

    @abstractmethod
    def served(self) -> Served:
        """Whom the systems serve, and their values whatever the unserved count as."""

    @abstractmethod
    def same_users(self, other: Any) -> bool:
        """True if each system is averaged over the same users in another setting of the same kind."""

    @abstractmethod
    def weight_spread(self) -> tuple[float, int] | None:
        """As how many users of equal weight those weigh that all systems are averaged on, and how many they are; None where
        all weigh alike."""


@dataclass(kw_only=True)
class AggregatedSetting(SettingNumbers):
    """A setting with the values of its users."""

    aggregation: SettingAggregation
    level: float
    """Of intervals."""
    values: UserValues

    @property
    def table(self) -> AlignedScores:
        """The values of all metrics under the protocol, of the systems that this metric was measured of."""
        return self.aggregation.table

    @property
    def protocol(self) -> ProtocolKey:
        """The choices under which lists were made and judged."""
        return self.table.protocol

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that the metric was measured of, in the order of values and tallies."""
        return self.table.systems

    @property
    def metric(self) -> Metric:
        """The metric that is aggregated."""
        return self.aggregation.metric

    @property
    def aggregate(self) -> str:
        """The text form of the aggregation."""
        return str(self.aggregation.aggregation)

    @property
    def undefined(self) -> str:
        """The text form of the rule for undefined values."""
        return str(self.aggregation.undefined)

    @property
    def higher_is_better(self) -> bool:
        """Whether the larger value is the better one."""
        return self.values.higher_is_better

    def share(self, metric: str, system: int) -> float | None:
        """The mean of one system's defined values over users and folds."""
        return self.table.share(metric, system)

    def covered(self, system: int) -> float:
        """The share of users, in each fold, for whom the system itself scored something."""
        return self.table.covered(system)

    def same_users(self, other: AggregatedSetting) -> bool:
        """True if the systems of both settings are averaged over the same users in both."""
        systems = [name for name in self.systems if name in other.systems]
        mine, theirs = (s.values.kept[[s.systems.index(name) for name in systems]] for s in (self, other))
        if self.table.user is other.table.user:
            return bool(np.array_equal(mine, theirs))
        if not np.array_equal(mine.sum(axis=1), theirs.sum(axis=1)):
            return False
        if self.table.vocabulary == other.table.vocabulary:
            codes = ((self.table.user[a], other.table.user[b]) for a, b in zip(mine, theirs, strict=True))
            return all(np.array_equal(np.sort(own), np.sort(others)) for own, others in codes)
        ids = ((self.table.user_ids.filter(a), other.table.user_ids.filter(b)) for a, b in zip(mine, theirs, strict=True))
        return all(own.sort().equals(others.sort()) for own, others in ids)

    def weight_spread(self) -> tuple[float, int] | None:
        """As how many users of equal weight those weigh that all systems are averaged on, and how many they are."""
        values = self.values
        if values.weights is None or values.contributions or not values.common.any():
            return None
        return effective_size(values.weights[values.common]), int(values.common.sum())

    def compared_values(self) -> SettingValues:
        """What tests are made of."""
        return SettingValues.of(f"{self.metric}, {self.aggregate}", self.values, self.table.user_groups)

    def served(self) -> Served:
        """Whom the systems serve, and their values whatever the unserved count as."""
        users, served = users_served(self.table)
        if served == users:
            return Served(users, served)
        zero, common = (self.aggregation.tallies(rule, self.level)[1] for rule in (UncoveredAsZero(), Intersection()))
        return Served(users, served, tuple(t.value for t in zero), tuple(t.value for t in common))


def aggregate_settings(
    analysis: Analysis, tables: Sequence[AlignedScores], left_out: dict[str, None] | None = None
) -> list[AggregatedSetting]:
    """All settings, aggregated, each with the systems that its metric was measured of.

    Those of descriptive metrics and of bounds, which are no contests, come last. An aggregation that does not apply
    to the values of a metric makes no setting; why is noted in `left_out`.
    """
    settings = [setting for table in tables for setting in _of_table(analysis, table, {} if left_out is None else left_out)]
    return sorted(settings, key=lambda setting: not setting.contest)


@dataclass(frozen=True, kw_only=True)
class SettingChoice:
    """What makes a setting of a protocol."""

    metric: Metric
    aggregation: Aggregation
    undefined: UndefinedRule
    coverage: CoverageRule
    descriptive: bool


def setting_choices(analysis: Analysis) -> Iterator[SettingChoice]:
    """Every metric with its aggregations and rules, contests first."""
    for metric in (*analysis.contests, *analysis.descriptive):
        # Of no list there is nothing to describe.
        skips = metric.skips_undefined or metric in analysis.descriptive
        aggregations = analysis.aggregations(metric) if metric.per_user else analysis.aggregations(metric)[:1]
        rules = (SKIP,) if skips else analysis.undefined
        for aggregation, undefined, coverage in product(aggregations, rules, analysis.coverage):
            yield SettingChoice(
                metric=metric,
                aggregation=aggregation,
                undefined=undefined,
                coverage=coverage,
                descriptive=metric in analysis.descriptive,
            )


def _of_table(analysis: Analysis, everyone: AlignedScores, left_out: dict[str, None]) -> Iterator[AggregatedSetting]:
    target, unrated = make("target", everyone.protocol.target), make("unrated", everyone.protocol.unrated)
    level = 1 - analysis.compare.level
    for choice in setting_choices(analysis):
        table = everyone.of_systems(everyone.having(str(choice.metric)))
        if not table.systems:
            continue
        setting = SettingAggregation(
            table=table,
            target=target,
            metric=choice.metric,
            aggregation=choice.aggregation,
            undefined=choice.undefined,
            baseline=analysis.compare.baseline,
        )
        try:
            why = setting.refusal()
            if not why:
                values, tallies = setting.tallies(choice.coverage, level)
        except NotApplicableError as error:
            why = error.problem
        if why:
            left_out[f"{choice.metric} under {choice.aggregation}: {why}"] = None
            continue
        yield AggregatedSetting(
            aggregation=setting,
            coverage=str(choice.coverage),
            level=level,
            values=values,
            tallies=tallies,
            descriptive=choice.descriptive,
            bound=unrated.bound,
        )
