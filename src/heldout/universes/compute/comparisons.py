"""What every universe of one way of judging says of the systems: values, differences, p-values and winners, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.analysis.alignment import AlignedScores
from heldout.analysis.statistics import (
    ENOUGH,
    SKIP,
    RuledScores,
    SettingAggregation,
    defined_values,
    rule_scores,
    value_batches,
)
from heldout.experiment.judging import metric_names
from heldout.metrics.metric import Metric
from heldout.significance.batches import Pairs, compare_batches
from heldout.significance.pairs import system_pairs
from heldout.significance.significance_test import Test
from heldout.significance.value_batch import ScaledValues
from heldout.study.spec import Study
from heldout.tables.arrays import Bool, Float64, Int8, Int32, Int64, digest_of
from heldout.targets.target import Target
from heldout.universes.grid.grid import UniverseLayout

NO_USERS = 0
"""The set of users of a universe that has no value."""


@dataclass(frozen=True, eq=False, kw_only=True)
class UniverseComparisons:
    """One entry per universe of a layout: values, users and intervals are × systems, the others × pairs; oriented as in
    `Universes`."""

    higher: Bool
    values: Float64
    users: Int32
    user_set: Int64
    """By universe, 64 bits of the digest of the users that each system is averaged over."""
    low: Float64
    high: Float64
    difference: Float64
    effect: Float64
    d: Float64
    p: Float64
    p_adjusted: Float64
    winner: Int8
    served: Float64


@dataclass(frozen=True, eq=False, kw_only=True)
class MetricStatistics:
    """Some metrics under one aggregation and two rules: values, users, intervals are metrics × systems, others × pairs.

    Differences are first less second, whichever is better. NaN where a system failed, or the aggregation does not apply.
    """

    higher: Bool
    """By metric, whether higher values are better: gains over a baseline are, whatever the metric."""
    values: Float64
    users: Int32
    """Users that each value is averaged over."""
    user_set: Int64
    """By metric, as of `UniverseComparisons`."""
    low: Float64
    high: Float64
    difference: Float64
    d: Float64
    magnitude: Float64
    """The sum of both values' magnitudes, over the users compared."""
    signs: Float64
    """Users for whom the first has the greater value, less those for whom the second has."""
    p: dict[str, Float64]
    """By test."""


@dataclass(frozen=True, eq=False)
class _UniverseTable:
    """All systems' values under one way of judging, with the study and target that say what is made of them."""

    study: Study
    scores: AlignedScores
    target: Target
    metrics: tuple[Metric, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(system.name for system in self.study.recommend)

    @cached_property
    def pairs(self) -> Pairs:
        return system_pairs(self.names, self.study.compare.baseline)

    @cached_property
    def present(self) -> Int64:
        """The places of the systems that did not fail."""
        return np.array([self.names.index(name) for name in self.scores.systems], dtype=np.int64)

    @cached_property
    def compared(self) -> tuple[Int64, Pairs]:
        """The places of the pairs of which neither system failed, and these pairs by the rows of the scores."""
        row = {place: k for k, place in enumerate(self.present.tolist())}
        pairs = [(n, (row[a], row[b])) for n, (a, b) in enumerate(self.pairs) if a in row and b in row]
        return np.array([n for n, _ in pairs], dtype=np.int64), [pair for _, pair in pairs]

    @cached_property
    def user_sets(self) -> dict[bytes, int]:
        """By mask of users, what `user_set` returned."""
        return {}

    def user_set(self, kept: Bool) -> int:
        """64 bits of the digest of some users of each system, the same in all tables of a split."""
        packed = np.packbits(kept).tobytes()
        if packed not in self.user_sets:
            digest = digest_of(*(np.sort(self.scores.user[of_system]) for of_system in kept))
            self.user_sets[packed] = int(digest[:16], 16) - 2**63
        return self.user_sets[packed]

    def statistics(
        self,
        metrics: Sequence[int],
        ruled: RuledScores,
        aggregation: Aggregation | None,
        undefined: UndefinedRule,
        coverage: CoverageRule,
        tests: Sequence[Test],
    ) -> MetricStatistics:
        """Aggregate and compare metrics; without an aggregation they are numbers of whole systems, and not tested."""
        study = self.study
        baseline = study.compare.baseline if study.compare.baseline in self.scores.systems else None
        settings = [
            SettingAggregation(
                table=self.scores,
                target=self.target,
                metric=self.metrics[m],
                aggregation=study.aggregate[0] if aggregation is None else aggregation,
                undefined=undefined,
                baseline=baseline,
            )
            for m in metrics
        ]
        shape, of_systems = (len(metrics), len(self.pairs)), (len(metrics), len(self.names))
        unknown = MetricStatistics(
            higher=np.array([setting.metric.direction == "higher" for setting in settings], dtype=np.bool_),
            values=np.full(of_systems, np.nan),
            users=np.zeros(of_systems, dtype=np.int32),
            user_set=np.full(len(metrics), NO_USERS, dtype=np.int64),
            low=np.full(of_systems, np.nan),
            high=np.full(of_systems, np.nan),
            difference=np.full(shape, np.nan),
            d=np.full(shape, np.nan),
            magnitude=np.full(shape, np.nan),
            signs=np.full(shape, np.nan),
            p={str(test): np.full(shape, np.nan) for test in tests},
        )
        batches = value_batches(settings, ruled, coverage, complete=len(self.present) == len(self.names))
        numbers, pairs = self.compared
        compared = compare_batches([group.batch for group in batches], pairs, tests=tests, seed=study.seed)
        for group, of_pairs in zip(batches, compared, strict=True):
            unknown.higher[group.places] = group.higher_is_better
            present = np.ix_(group.places, self.present)
            unknown.values[present] = group.batch.system_values()
            for places, kept in group.batch.groups():
                unknown.users[np.ix_(group.places[places], self.present)] = kept.sum(axis=1)
                unknown.user_set[group.places[places]] = self.user_set(kept)
            unknown.low[present], unknown.high[present] = group.batch.system_intervals(1 - study.compare.level)
            at = np.ix_(group.places, numbers)
            unknown.difference[at] = of_pairs.difference
            unknown.magnitude[at] = np.abs(of_pairs.value_a) + np.abs(of_pairs.value_b)
            unknown.signs[at] = of_pairs.greater - of_pairs.less
            if aggregation is not None:  # else users share the number of their system: how far they spread says nothing
                unknown.d[at] = of_pairs.cohen_d
            for name, p in of_pairs.p.items():
                unknown.p[name][at] = p
        return unknown


def verdicts(
    study: Study,
    scores: AlignedScores,
    target: Target,
    metrics: tuple[Metric, ...],
    layout: UniverseLayout,
    *,
    call_winners: bool = True,
) -> UniverseComparisons:
    """The verdicts of all universes in a layout; `metrics` are those that its places name."""
    table = _UniverseTable(study, scores, target, metrics)
    tests = study.compare.tests
    n, shape = len(layout), (len(layout), len(table.pairs))
    higher = np.array([m.direction == "higher" for m in metrics], dtype=np.bool_)[layout.metric]
    values, low, high = (np.full((n, len(table.names)), np.nan) for _ in range(3))
    users, user_set = np.zeros(values.shape, dtype=np.int32), np.full(n, NO_USERS, dtype=np.int64)
    difference, d, p, favoured, magnitude = (np.full(shape, np.nan) for _ in range(5))

    def enter(rows: Bool, statistics: MetricStatistics, of_rows: Sequence[int], aggregate: int) -> None:
        """Enter the statistics of some metrics under an aggregation into their universes, for all tests."""
        at = np.flatnonzero(rows & (layout.aggregate == aggregate))
        place = np.searchsorted(np.asarray(of_rows), layout.metric[at])
        higher[at], values[at] = statistics.higher[place], statistics.values[place]
        users[at], user_set[at] = statistics.users[place], statistics.user_set[place]
        low[at], high[at] = statistics.low[place], statistics.high[place]
        difference[at], d[at] = statistics.difference[place], statistics.d[place]
        magnitude[at] = statistics.magnitude[place]
        for number, test in enumerate(tests):
            tested = layout.test[at] == number
            if str(test) in statistics.p and tested.any():
                own = at[tested]
                p[own] = statistics.p[str(test)][place[tested]]
                favoured[own] = (statistics.signs if test.compares == "ranks" else statistics.difference)[place[tested]]

    weights, names = scores.lists if target.by_rating else None, metric_names(metrics)
    defined: dict[tuple[int, tuple[int, ...]], ScaledValues] = {}
    done: dict[tuple[int, tuple[int, ...], str, int], MetricStatistics] = {}
    for rule, cover in sorted(set(zip(layout.undefined.tolist(), layout.coverage.tolist(), strict=True))):
        coverage = study.coverage[max(cover, 0)]
        undefined = SKIP if rule < 0 else study.undefined[rule]
        rows = (layout.undefined == rule) & (layout.coverage == cover)
        ruled: dict[tuple[int, ...], RuledScores] = {}
        for aggregate in sorted(set(layout.aggregate[rows].tolist())):
            aggregation = None if aggregate < 0 else study.all_aggregations[aggregate]
            # Not every aggregation applies to every metric.
            own = tuple(np.unique(layout.metric[rows & (layout.aggregate == aggregate)]).tolist())
            if (rule, own) not in defined:
                defined[rule, own] = defined_values(scores, [names[m] for m in own], undefined)
            if own not in ruled:
                ruled[own] = rule_scores(scores, defined[rule, own], coverage, weights)
            key = (rule, own, ruled[own].fingerprint, aggregate)
            if key not in done:
                of_tests = _tests_of(layout, rows, aggregate, tests)
                done[key] = table.statistics(own, ruled[own], aggregation, undefined, coverage, of_tests)
            enter(rows, done[key], own, aggregate)
    sign = np.where(higher, 1.0, -1.0)[:, None]
    difference, d, favoured = sign * difference, sign * d, sign * favoured
    adjusted = _adjusted(study, p, layout, tests)
    effect = np.divide(2 * difference, magnitude, out=np.where(np.isnan(difference), np.nan, 0.0), where=magnitude > 0)
    sure = (adjusted < study.compare.level) & (np.sign(favoured) == np.sign(difference)) & (difference != 0)
    served = np.broadcast_to(_shares_served(table), shape)
    sure &= (served >= ENOUGH) & call_winners
    winner = np.where(sure, np.sign(np.nan_to_num(difference)), 0).astype(np.int8)
    return UniverseComparisons(
        higher=higher,
        values=values,
        users=users,
        user_set=user_set,
        low=low,
        high=high,
        difference=difference,
        effect=effect,
        d=d,
        p=p,
        p_adjusted=adjusted,
        winner=winner,
        served=served.copy(),
    )


def _shares_served(table: _UniverseTable) -> Float64:
    """By pair, the share of users with a list of both systems in every fold that tests them; 0 where one failed."""
    served = np.zeros((len(table.names), len(table.scores)), dtype=np.bool_)
    served[table.present] = table.scores.served
    return np.array([float((served[a] & served[b]).mean()) if served.shape[1] else 1.0 for a, b in table.pairs])


def _tests_of(layout: UniverseLayout, rows: Bool, aggregate: int, tests: Sequence[Test]) -> list[Test]:
    """The significance tests that apply to an aggregation."""
    numbers = np.unique(layout.test[rows & (layout.aggregate == aggregate)]).tolist()
    return [tests[k] for k in numbers if k >= 0]


def _adjusted(study: Study, p: Float64, layout: UniverseLayout, tests: Sequence[Test]) -> Float64:
    """p corrected over the pairs of each universe; tests of all systems at once need no correction."""
    if p.shape[1] < 2:
        return p
    uncorrected = np.array([t.all_at_once for t in tests] + [True], dtype=np.bool_)[layout.test]
    adjusted = p.copy()
    for at in np.flatnonzero(~uncorrected).tolist():
        adjusted[at] = study.compare.correction.adjust(p[at])
    return adjusted
