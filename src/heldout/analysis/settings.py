"""Every setting of an analysis: each metric × aggregation × rule of each protocol, aggregated, and its systems compared."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
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
from heldout.analysis.rows import LayoutRow, PairRow
from heldout.analysis.statistics import SKIP, Served, SettingAggregation, users_served
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.metric import Metric
from heldout.significance.pairs import PairComparison, SettingValues, check_answers, compare_pairs, layouts_of
from heldout.significance.significance_test import Layout
from heldout.study.analysis import Analysis
from heldout.study.comparison import NO_TEST
from heldout.tables import ProtocolKey


@dataclass(frozen=True, kw_only=True)
class SettingChoice:
    """What makes a setting of a protocol."""

    metric: Metric
    aggregation: Aggregation
    undefined: UndefinedRule
    coverage: CoverageRule
    descriptive: bool
    """True if the metric only describes lists."""


@dataclass(kw_only=True)
class MeasuredSetting(ABC):
    """One setting: a protocol, a metric, how users become one number, and the numbers of every system."""

    choice: SettingChoice
    protocol: ProtocolKey
    """The choices under which lists were made and judged."""
    systems: tuple[str, ...]
    """The systems that the metric was measured of, in the order of values and tallies."""
    tallies: list[Tally]
    bound: bool = False
    """True if values are the end of an interval."""
    pairs: list[PairComparison] = field(default_factory=list)
    """The systems compared, once `compare_settings` did."""
    layouts: dict[str, Layout] = field(default_factory=dict)
    """Test of all systems at once → its result."""

    @property
    def metric(self) -> Metric:
        """The metric that is aggregated."""
        return self.choice.metric

    @property
    def aggregate(self) -> str:
        """The text form of the aggregation."""
        return str(self.choice.aggregation)

    @property
    def undefined(self) -> str:
        """The text form of the rule for undefined values."""
        return str(self.choice.undefined)

    @property
    def coverage(self) -> str:
        """The text form of the rule for users without a list."""
        return str(self.choice.coverage)

    @property
    def higher_is_better(self) -> bool:
        """True if the larger value is the better one."""
        return self.metric.direction == "higher"

    @property
    def contest(self) -> bool:
        """True if systems are compared here."""
        return not (self.choice.descriptive or self.bound)

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
    def _equal_values(self, other: Any) -> bool:
        """True if each user has the same value of every system in both settings."""

    def same_values(self, other: MeasuredSetting) -> bool:
        """True if each user has the same value of every system in another setting, and users are averaged alike."""
        return (
            self.systems == other.systems
            and self.aggregate == other.aggregate
            and self.higher_is_better == other.higher_is_better
            and self.same_users(other)
            and self._equal_values(other)
        )

    @abstractmethod
    def weight_spread(self) -> tuple[float, int] | None:
        """As how many users of equal weight those weigh that all systems are averaged on, and how many they are; None where
        all weigh alike."""


@dataclass(kw_only=True)
class AggregatedSetting(MeasuredSetting):
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
    def higher_is_better(self) -> bool:
        """True if the larger value is the better one."""
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

    def _equal_values(self, other: AggregatedSetting) -> bool:
        own, others = self.values, other.values
        return own.values.shape == others.values.shape and np.array_equal(own.values, others.values, equal_nan=True)

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
    for choice in setting_choices(analysis):
        if not len(everyone.having(str(choice.metric))):
            continue
        try:
            yield aggregated(analysis, everyone, choice)
        except NotApplicableError as error:
            left_out[f"{choice.metric} under {choice.aggregation}: {error.problem}"] = None


def aggregated(analysis: Analysis, everyone: AlignedScores, choice: SettingChoice) -> AggregatedSetting:
    """One setting of the systems that its metric was measured of; NotApplicableError if its aggregation does not apply."""
    table = everyone.of_systems(everyone.having(str(choice.metric)))
    level = 1 - analysis.compare.level
    aggregation = SettingAggregation(
        table=table,
        target=make("target", table.protocol.target),
        metric=choice.metric,
        aggregation=choice.aggregation,
        undefined=choice.undefined,
        baseline=analysis.compare.baseline,
    )
    if why := aggregation.refusal():
        raise NotApplicableError(why)
    values, tallies = aggregation.tallies(choice.coverage, level)
    return AggregatedSetting(
        choice=choice,
        protocol=table.protocol,
        systems=table.systems,
        tallies=tallies,
        bound=make("unrated", table.protocol.unrated).bound,
        aggregation=aggregation,
        level=level,
        values=values,
    )


def compare_settings(analysis: Analysis, settings: Sequence[AggregatedSetting]) -> None:
    """Compare the systems of every setting; pairs and layouts are noted there.

    Settings of the same systems are compared together. Where a metric does not apply to the baseline, all pairs are.
    """
    by_systems: dict[tuple[str, ...], list[AggregatedSetting]] = {}
    for setting in settings:
        by_systems.setdefault(setting.systems, []).append(setting)
    for test in analysis.compare.tests:
        check_answers(test, [setting.compared_values() for setting in settings])
    for systems, group in by_systems.items():
        if len(systems) < 2:
            continue
        values = [setting.compared_values() for setting in group]
        compared = compare_pairs(
            values,
            systems,
            tests=analysis.compare.tests,
            correction=analysis.compare.correction,
            seed=analysis.seed,
            baseline=analysis.compare.baseline if analysis.compare.baseline in systems else None,
            level=1 - analysis.compare.level,
            must_answer=False,
        )
        for setting, own, pairs in zip(group, values, compared, strict=True):
            setting.pairs = pairs if setting.metric.per_user else [_untested(pair) for pair in pairs]
            setting.layouts = layouts_of(own, analysis.compare.tests, level=analysis.compare.level)


def _untested(pair: PairComparison) -> PairComparison:
    """A pair under a metric of whole systems: two numbers, and no users to compare."""
    return replace(
        pair,
        low=None,
        high=None,
        effect=None,
        wins=0,
        ties=0,
        losses=0,
        superiority=None,
        reason="it is one number for a whole system, so there are no users to compare",
    )


def deciding_test(analysis: Analysis, pairs: Sequence[PairComparison]) -> str | None:
    """The first test that has p-values in a setting: the one that letters and the verdict rest on."""
    return next((str(t) for t in analysis.compare.tests if any(p.p[str(t)] is not None for p in pairs)), None)


def pair_rows(number: int, systems: Sequence[str], pairs: Sequence[PairComparison], analysis: Analysis) -> Iterator[PairRow]:
    """One row for every pair and test of a setting; without tests, one for every pair."""
    for pair in pairs:
        for test in analysis.compare.tests or (None,):
            name = NO_TEST if test is None else str(test)
            together = test is not None and test.all_at_once
            correction = test.key if test is not None and together else str(analysis.compare.correction)
            yield PairRow(
                setting=number,
                test=name,
                a=systems[pair.a],
                b=systems[pair.b],
                value_a=pair.value_a,
                value_b=pair.value_b,
                difference=pair.difference,
                low=pair.low,
                high=pair.high,
                effect=pair.effect,
                wins=pair.wins,
                ties=pair.ties,
                losses=pair.losses,
                p=pair.p.get(name),
                p_adjusted=pair.p_adjusted.get(name),
                correction="" if test is None else correction,
                family=len(systems) * (len(systems) - 1) // 2 if together else pair.family,
                users=pair.tested_on.get(name, pair.users),
                superiority=pair.superiority,
                figures=pair.figures.get(name, {}),
                reason="nothing was tested" if test is None else pair.reason or pair.refusals.get(name, ""),
            )


def layout_rows(number: int, setting: MeasuredSetting) -> Iterator[LayoutRow]:
    """One row for every test of all systems at once."""
    for test, layout in setting.layouts.items():
        places = {system: float(place) for system, place in zip(setting.systems, layout.places, strict=True)}
        yield LayoutRow(
            setting=number,
            test=test,
            name=layout.name,
            statistic=layout.statistic,
            p=layout.p,
            scale=layout.scale,
            places=places,
            critical=layout.critical,
            users=layout.users,
        )
