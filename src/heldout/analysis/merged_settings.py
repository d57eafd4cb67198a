"""Settings from sums: the numbers that follow from what the values of all users add up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from heldout.aggregations.merged_moments import MergedMoments
from heldout.aggregations.moments import Moments
from heldout.aggregations.tally import Tally
from heldout.analysis.piece_columns import common_users, compared_pairs
from heldout.analysis.settings import MeasuredSetting, SettingChoice, setting_choices
from heldout.analysis.statistics import Served
from heldout.catalogue import make
from heldout.significance.batches import PairStatistics, scale_interval
from heldout.significance.effect import Effects
from heldout.significance.group_sums import GroupSums
from heldout.significance.pairs import PairComparison, SettingValues, check_answers, pair_comparisons
from heldout.significance.significance_test import Test
from heldout.study.analysis import Analysis
from heldout.tables import ProtocolKey
from heldout.tables.arrays import Float64
from heldout.tables.id_hash import GROUPS
from heldout.tables.part import MeasuredUsers


@dataclass(kw_only=True)
class MergedSetting(MeasuredSetting):
    """A setting whose users' values were added up."""

    of_protocol: MergedProtocol
    number: int

    def share(self, metric: str, system: int) -> float | None:
        """The mean of one system's defined values."""
        return self.of_protocol.mean(f"share {system} {metric}")

    def covered(self, system: int) -> float:
        """The share of users for whom the system itself scored something."""
        return self.of_protocol.users(f"covered {system}") / self.of_protocol.users("users")

    def served(self) -> Served:
        """Whom the systems serve, and their values whatever the unserved count as."""
        users, served = self.of_protocol.users("users"), self.of_protocol.users("served")
        if served == users or not self.metric.per_user:
            return Served(users, served)
        zero, common = (
            tuple(self.of_protocol.value(f"{rule} {self.number} {k}", self.choice) for k in range(len(self.systems)))
            for rule in ("zero", "common")
        )
        return Served(users, served, zero, common)

    def same_users(self, other: MergedSetting) -> bool:
        """True if each system is averaged over as many users, and over as many in each group by the hash of their id."""
        if [own.users for own in self.tallies] != [own.users for own in other.tallies]:
            return False
        mine, theirs = (setting.of_protocol.sums.get(f"#system {setting.number} 0") for setting in (self, other))
        return mine is None or theirs is None or bool(np.array_equal(mine, theirs))

    def _equal_values(self, other: MergedSetting) -> bool:
        """True if the sums of values and of their squares are equal: values of users are not kept."""
        return self.tallies == other.tallies and self.pairs == other.pairs

    def weight_spread(self) -> tuple[float, int] | None:
        """As how many users of equal weight those weigh that all systems are averaged on, and how many they are."""
        column = self.of_protocol.moments.get(f"weights {self.number}")
        if column is None or column.users == 0:
            return None
        return float(column.weight) ** 2 / float(column.square), int(column.users)


@dataclass(frozen=True, eq=False, kw_only=True)
class MergedProtocol:
    """All pieces of one protocol, merged."""

    protocol: ProtocolKey
    systems: tuple[str, ...]
    moments: Mapping[str, MergedMoments]
    sums: Mapping[str, Float64]
    """By name, of all groups."""
    longest: tuple[float, ...]
    refused: Mapping[str, str]
    whole: Mapping[tuple[str, str], float]
    """By metric of whole systems and system, its value."""

    def users(self, name: str) -> int:
        """The users of a column."""
        return int(self.moments[name].users)

    def mean(self, name: str) -> float | None:
        """The mean of a column; None where there is no such column, or nobody in it."""
        column = self.moments.get(name)
        return float(column.mean) if column is not None and column.weight > 0 else None

    def value(self, name: str, choice: SettingChoice) -> float | None:
        """The aggregated value of a column."""
        mean = self.mean(name)
        by = choice.aggregation.of_sums(choice.metric.pooling)
        return None if mean is None else float(by.inverse(np.float64(mean)))  # type: ignore[arg-type]

    def spread(self, name: str) -> Moments:
        """Mean, deviation and size of a column."""
        return self.moments[name].moments()

    def measured(self) -> Iterator[MeasuredUsers]:
        """The users of every system, in numbers."""
        differ = self.users("listed differently") > 0
        for k, system in enumerate(self.systems):
            yield MeasuredUsers(
                system=system,
                protocol=self.protocol,
                fold=0,
                users=self.users("users"),
                empty=self.users(f"empty {k}"),
                longest=self.longest[k],
                covered=str(k if differ else 0).encode(),
                tested=self.users("tested"),
                without_relevant=self.users("without relevant"),
                all_relevant=self.users("not relevant") == 0,
            )

    def settings(self, analysis: Analysis, left_out: dict[str, None]) -> Iterator[MergedSetting]:
        """Every setting, aggregated."""
        bound = make("unrated", self.protocol.unrated).bound
        for number, choice in enumerate(setting_choices(analysis)):
            why = self.refused.get(str(number), "")
            if why:
                left_out[f"{choice.metric} under {choice.aggregation}: {why}"] = None
            elif choice.metric.per_user and f"system {number} 0" in self.moments:
                tallies = [self._tally(analysis, number, choice, k) for k in range(len(self.systems))]
                yield self._setting(number, choice, tallies, bound=bound)
            elif not choice.metric.per_user and (str(choice.metric), self.systems[0]) in self.whole:
                tallies = [self._whole(number, choice, k) for k in range(len(self.systems))]
                yield self._setting(number, choice, tallies, bound=bound)

    def _setting(self, number: int, choice: SettingChoice, tallies: list[Tally], *, bound: bool) -> MergedSetting:
        return MergedSetting(
            choice=choice,
            protocol=self.protocol,
            systems=self.systems,
            tallies=tallies,
            bound=bound,
            of_protocol=self,
            number=number,
        )

    def _tally(self, analysis: Analysis, number: int, choice: SettingChoice, k: int) -> Tally:
        name = f"system {number} {k}"
        by = choice.aggregation.of_sums(choice.metric.pooling)
        ends = [by.inverse(end) for end in self.spread(name).interval(1 - analysis.compare.level)]
        low, high = (None if np.isnan(end) else float(end) for end in ends)
        return Tally(
            value=self.value(name, choice),
            low=low,
            high=high,
            users=self.users(name),
            undefined=self.users(f"undefined {number} {k}"),
            user_coverage=self.users(f"covered {k}") / self.users("users"),
            user_coverage_ranked=1 - self.users(f"empty {k}") / self.users("users"),
        )

    def _whole(self, number: int, choice: SettingChoice, k: int) -> Tally:
        """The one value of a metric of whole systems."""
        value = self.whole[str(choice.metric), self.systems[k]]
        included = self.users(f"included {number} {k}")
        return Tally(
            value=None if np.isnan(value) else value,
            low=None,
            high=None,
            users=0 if np.isnan(value) else included,
            undefined=included if np.isnan(value) else 0,
            user_coverage=self.users(f"covered {k}") / self.users("users"),
            user_coverage_ranked=1 - self.users(f"empty {k}") / self.users("users"),
        )

    def compared(self, analysis: Analysis, setting: MergedSetting) -> list[PairComparison]:
        """The systems of a setting compared."""
        choice, number = setting.choice, setting.number
        by = choice.aggregation.of_sums(choice.metric.pooling)
        pairs, tests = compared_pairs(analysis, self.systems), analysis.compare.tests
        statistics = PairStatistics.unknown(1, len(pairs), tests)
        values = compared_values(setting)
        for p, (a, b) in enumerate(pairs):
            d = self.spread(f"pair {number} {p}")
            users, greater, less = (self.users(f"{name} {number} {p}") for name in ("pair", "greater", "less"))
            divided = self.moments.get(f"divided {number} {p}")
            scale = 1.0  # as in memory, contributions are brought to the scale of the ratio
            if divided is not None:
                scale = users / float(divided.weight) if divided.weight > 0 else 0.0
            of_pair = Moments(np.atleast_1d(d.mean * scale), np.atleast_1d(d.deviation * scale), d.size)
            counts = (np.array([n]) for n in (greater, users - greater - less, less))
            sizes = Effects(moments=of_pair, **dict(zip(("greater", "equal", "less"), counts, strict=True)))
            own = [f"system {number} {k}" for k in (a, b)]
            means = [
                self.mean(name) for name in (own if common_users(choice) else [f"{side} {number} {p}" for side in "ab"])
            ]
            at = (0, p)
            statistics.users[at], statistics.testable[at] = users, users >= 2 and d.size > 1
            for name in ("cohen_d", "superiority", "greater", "equal", "less"):
                getattr(statistics, name)[at] = getattr(sizes, name)[0]
            if means[0] is None or means[1] is None:
                continue
            statistics.value_a[at], statistics.value_b[at] = (by.inverse(np.asarray(mean)) for mean in means)
            low, high = sizes.interval(1 - analysis.compare.level)
            ends = scale_interval(by, np.array([(means[0] + means[1]) / 2]), low, high)
            statistics.low[at], statistics.high[at] = ends[0][0], ends[1][0]
            for test in tests if statistics.testable[at] else ():
                of_effects = test.p_of_effects(sizes)
                if not values.refusal(test) and of_effects is not None:
                    statistics.p[str(test)][at] = of_effects[0]
        for test in tests:
            if not values.refusal(test):
                self._by_groups(analysis, setting, test, pairs, statistics)
        return pair_comparisons(values, statistics, pairs, tests, analysis.compare.correction)

    def _by_groups(
        self,
        analysis: Analysis,
        setting: MergedSetting,
        test: Test,
        pairs: list[tuple[int, int]],
        statistics: PairStatistics,
    ) -> None:
        """Enter the p of a test that takes sums of groups."""
        number, testable = setting.number, statistics.testable[0]
        if common_users(setting.choice):
            names = [f"system {number} {k}" for k in range(len(self.systems))]
            sums = GroupSums(sums=np.stack([self.sums[name] for name in names]), counts=self.sums[f"#{names[0]}"])
            p = test.p_of_groups(sums, np.array(pairs, dtype=np.int64), seed=analysis.seed)
            if p is not None:
                statistics.p[str(test)][0] = np.where(testable, p, np.nan)
            return
        for place in np.flatnonzero(testable).tolist():
            name = f"pair {number} {place}"
            sums = GroupSums(sums=np.stack([self.sums[name], np.zeros(GROUPS)]), counts=self.sums[f"#{name}"])
            p = test.p_of_groups(sums, np.array([[0, 1]]), seed=analysis.seed)
            if p is not None:
                statistics.p[str(test)][0, place] = p[0]


def compared_values(setting: MergedSetting) -> SettingValues:
    """What says whether a test answers for a setting; of the users' values nothing is left."""
    nobody = np.empty((len(setting.systems), 0))
    weighted = setting.choice.aggregation.weighs_users(by_rating=False)
    return SettingValues(
        name=f"{setting.metric}, {setting.aggregate}",
        values=nobody,
        included=nobody.astype(np.bool_),
        aggregation=setting.choice.aggregation,
        weights=np.empty(0) if weighted else None,
        higher_is_better=setting.higher_is_better,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class MergedScores:
    """The scores of an evaluation, added up over all users."""

    systems: tuple[str, ...]
    protocols: tuple[MergedProtocol, ...]

    @property
    def measured(self) -> tuple[MeasuredUsers, ...]:
        """The users of every system under every protocol."""
        return tuple(counts for of_protocol in self.protocols for counts in of_protocol.measured())

    def settings(self, analysis: Analysis, left_out: dict[str, None]) -> list[MergedSetting]:
        """Every setting, aggregated and compared."""
        settings = [setting for merged in self.protocols for setting in merged.settings(analysis, left_out)]
        contests = [setting for setting in settings if setting.contest and setting.metric.per_user]
        if len(self.systems) > 1:
            for test in analysis.compare.tests:
                check_answers(test, [compared_values(setting) for setting in contests])
            for setting in contests:
                setting.pairs = setting.of_protocol.compared(analysis, setting)
        return settings
