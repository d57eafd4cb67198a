"""Every setting of an analysis: each metric × aggregation × rule of each protocol, aggregated, and its systems compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage.intersection import Intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.moments import weight_sums
from heldout.aggregations.tally import Tally
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.aggregations.values import UserValues
from heldout.analysis.alignment import AlignedScores
from heldout.analysis.rows import LayoutRow, PairRow
from heldout.analysis.statistics import SKIP, Aggregated, Served, SettingAggregation, groups_if_large, user_sets
from heldout.analysis.stored_scores import StoredScores
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.metric import Metric
from heldout.significance.pairs import PairComparison, check_answers, compare_pairs, layouts_of
from heldout.significance.significance_test import Layout
from heldout.significance.value_batch import ValueBatch
from heldout.study.analysis import Analysis
from heldout.study.comparison import NO_TEST
from heldout.tables import ProtocolKey
from heldout.tables.arrays import Float64
from heldout.tables.blocks import block_slices


@dataclass(frozen=True, kw_only=True)
class SettingChoice:
    """What makes a setting of a protocol."""

    metric: Metric
    aggregation: Aggregation
    undefined: UndefinedRule
    coverage: CoverageRule
    descriptive: bool
    """True if the metric only describes lists."""


@dataclass(eq=False, kw_only=True)
class AggregatedSetting(SettingAggregation):
    """One setting: a protocol, a metric, how users become one number, and the numbers of every system."""

    choice: SettingChoice
    level: float
    """Of intervals."""
    bound: bool = False
    """True if values are the end of an interval."""
    pairs: list[PairComparison] = field(default_factory=list)
    """The systems compared, once `compare_settings` did."""
    layouts: dict[str, Layout] = field(default_factory=dict)
    """Test of all systems at once → its result."""

    aggregated: Aggregated = field(init=False)
    """What is averaged and tested, and each system's number."""

    @property
    def protocol(self) -> ProtocolKey:
        """The choices under which lists were made and judged."""
        return self.table.protocol

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that the metric was measured of, in the order of values and tallies."""
        return self.table.systems

    @property
    def values(self) -> UserValues:
        """What is averaged and tested."""
        return self.aggregated.values

    @property
    def tallies(self) -> list[Tally]:
        """By system, its number."""
        return self.aggregated.tallies

    @property
    def contest(self) -> bool:
        """True if systems are compared here."""
        return not (self.choice.descriptive or self.bound)

    def _blocks(self) -> Iterator[UserValues]:
        """The values of each block of users."""
        if self.aggregated.stored is not None:
            for block, _ in self.blocks(self.choice.coverage):
                yield block.values
        else:
            yield from map(self.values.of_rows, block_slices(len(self.table)))

    @cached_property
    def user_sets(self) -> NDArray[np.uint64]:
        """By system, what tells apart the users that it is averaged over."""
        own = self.aggregated.sets
        return user_sets(self.values.kept, self.table.user_hashes) if own is None else own

    def same_users(self, other: AggregatedSetting) -> bool:
        """True if the systems of both settings are averaged over the same users in both."""
        systems = [name for name in self.systems if name in other.systems]
        mine, theirs = ([s.systems.index(name) for name in systems] for s in (self, other))
        if [self.tallies[k].users for k in mine] != [other.tallies[k].users for k in theirs]:
            return False
        return bool(np.array_equal(self.user_sets[mine], other.user_sets[theirs]))

    def same_values(self, other: AggregatedSetting) -> bool:
        """True if each user has the same value of every system in another setting, and users are averaged alike."""
        return (
            self.systems == other.systems
            and self.aggregation == other.aggregation
            and self.values.higher_is_better == other.values.higher_is_better
            and len(self.table) == len(other.table)
            and self.same_users(other)
            and all(
                np.array_equal(own.values, others.values, equal_nan=True)
                for own, others in zip(self._blocks(), other._blocks(), strict=True)
            )
        )

    def paired(self, a: str, b: str) -> tuple[Float64, Float64]:
        """The values of two systems for the users that both are averaged on."""
        places = [self.systems.index(name) for name in (a, b)]
        columns = [block.values[places][:, block.kept[places].all(axis=0)] for block in self._blocks()]
        first, second = np.concatenate(columns, axis=1)
        return first, second

    def weight_spread(self) -> tuple[float, int] | None:
        """As how many users of equal weight those weigh that all systems are averaged on, and how many they are; None where
        all weigh alike."""
        values = self.values
        if values.weights is None or values.contributions:
            return None
        users, weight, square = np.sum([_common_weights(block) for block in self._blocks()], axis=0)
        return (float(weight**2 / square) if square > 0 else 0.0, int(users)) if users else None

    def compared_values(self) -> ValueBatch:
        """What tests are made of."""
        stored = self.aggregated.stored
        groups = groups_if_large(self.table) if stored is None else None
        return ValueBatch.of(f"{self.metric}, {self.aggregation}", self.values, groups, stored)

    def served(self) -> Served:
        """Whom the systems serve, and their values whatever the unserved count as."""
        users, served = len(self.table), self.table.served_users()
        if served == users:
            return Served(users, served)
        zero, common = (
            tuple(tally.value for tally in self.aggregate(rule, self.level).tallies)
            for rule in (UncoveredAsZero(), Intersection())
        )
        return Served(users, served, zero, common)


def _common_weights(values: UserValues) -> tuple[float, float, float]:
    """How many users all systems are averaged on, the sum of their weights and that of the squares."""
    assert values.weights is not None
    common = values.common
    weight, square = weight_sums(int(common.sum()), values.weights[common])
    return float(common.sum()), float(weight), float(square)


def aggregate_settings(
    analysis: Analysis,
    tables: Sequence[AlignedScores | StoredScores],
    left_out: dict[str, None] | None = None,
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


def _of_table(
    analysis: Analysis, everyone: AlignedScores | StoredScores, left_out: dict[str, None]
) -> Iterator[AggregatedSetting]:
    for choice in setting_choices(analysis):
        if not len(everyone.having(str(choice.metric))):
            continue
        try:
            yield setting_of(analysis, everyone, choice)
        except NotApplicableError as error:
            left_out[f"{choice.metric} under {choice.aggregation}: {error.problem}"] = None


def setting_of(analysis: Analysis, everyone: AlignedScores | StoredScores, choice: SettingChoice) -> AggregatedSetting:
    """One setting of the systems that its metric was measured of; NotApplicableError if its aggregation does not apply."""
    table = everyone.of_systems(everyone.having(str(choice.metric)))
    setting = AggregatedSetting(
        table=table,
        target=make("target", table.protocol.target),
        metric=choice.metric,
        aggregation=choice.aggregation,
        undefined=choice.undefined,
        baseline=analysis.compare.baseline,
        choice=choice,
        level=1 - analysis.compare.level,
        bound=is_bound(table.protocol),
    )
    if why := setting.refusal():
        raise NotApplicableError(why)
    setting.aggregated = setting.aggregate(choice.coverage, setting.level)
    return setting


def is_bound(protocol: ProtocolKey) -> bool:
    """True if values are the end of an interval, and no result by themselves."""
    return bool(make("unrated", protocol.unrated).bound)


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


def layout_rows(number: int, setting: AggregatedSetting) -> Iterator[LayoutRow]:
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
