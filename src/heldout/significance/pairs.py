"""The main entry: all pairs of systems, or all against a baseline, compared in any number of settings at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from heldout.aggregations.aggregation import Aggregation, check_weights
from heldout.aggregations.values import UserValues
from heldout.errors import HeldoutError, InputError, NotApplicableError, UnknownNameError
from heldout.significance.significance_test import Correction, Layout, Test
from heldout.tables.arrays import Bool, Float64, Int64

_VALUES_AT_ONCE = 1 << 23


@dataclass(frozen=True, eq=False)
class SettingValues:
    """One metric of all systems under one setting, as the rules left it."""

    name: str
    """What error messages call it."""
    values: Float64
    """Systems × users, after the undefined rule: NaN is a user to skip."""
    included: Bool
    """Systems × users: whom the coverage rule averages."""
    aggregation: Aggregation
    weights: Float64 | None = None
    """One number per user, where users weigh differently; with `contributions` it may be systems × users."""
    higher_is_better: bool = True
    contributions: bool = False
    """Whether weights multiply what is tested (a ratio of sums) instead of weighing the users."""
    totals: Float64 | None = None
    """The aggregated value of each system, where it is not of the system's row alone."""

    @classmethod
    def of(cls, name: str, found: UserValues) -> SettingValues:
        """From values that an aggregation prepared."""
        return cls(
            name,
            found.values,
            found.included,
            found.by,
            found.weights,
            found.higher_is_better,
            found.contributions,
            found.totals,
        )

    @property
    def weighing(self) -> Float64 | None:
        """The weights that a test must know of."""
        return None if self.contributions else self.weights

    def refusal(self, test: Test) -> str:
        """Why a test does not answer for this setting; empty when it does."""
        return test.refusal(self.aggregation, weighted=self.weighing is not None)

    def tested(self, users: Int64) -> Float64:
        """Systems × these users on the scale that is tested; a user to skip is 0."""
        values = self.values[:, users]
        try:
            scaled = self.aggregation.transform(np.where(np.isnan(values), 0.0, values))
        except HeldoutError as error:
            raise error.within(self.name) from None
        if self.contributions and self.weights is not None:
            weights = np.atleast_2d(self.weights)[:, users]
            total = weights.sum(axis=1, keepdims=True)
            scaled = scaled * np.divide(weights * len(users), total, out=np.zeros_like(weights), where=total > 0)
        return scaled

    def aggregated(self, users: Int64) -> Float64:
        """The value of each system over these users."""
        if self.totals is not None:
            return self.totals
        values = self.values[:, users]
        known = np.where(np.isnan(values), 0.0, values)
        if self.weights is not None and self.weights.ndim == 2:
            own = [self.aggregation.aggregate(row[:, None], w[users]) for row, w in zip(known, self.weights, strict=True)]
            return np.concatenate(own)
        return self.aggregation.aggregate(known.T, self.weights[users] if self.weights is not None else None)


@dataclass(frozen=True)
class PairComparison:
    """One pair of systems in one setting; differences are a − b, over the users that both are averaged on."""

    a: int
    b: int
    users: int
    """Users compared: those that both systems are averaged on."""
    value_a: float
    """Aggregated over these users; NaN when there is none."""
    value_b: float
    difference: float
    """Difference of the aggregated values."""
    low: float | None
    """Lower end of its confidence interval; None where the aggregation has none or fewer than two users are compared."""
    high: float | None
    effect: float | None
    """Paired Cohen d on the scale that is tested; 0 for equal columns, None when every user differs by the same."""
    wins: int
    """Users for whom a is better."""
    ties: int
    losses: int
    superiority: float | None
    """Share of users for whom a is better, ties counted half."""
    p: dict[str, float | None]
    """By test; None with a `reason` or a refusal, and for tests that give no p."""
    p_adjusted: dict[str, float | None]
    family: int
    """Comparisons that the correction counts: the pairs of this setting that could be tested. Tests of all systems at
    once are not corrected and do not count."""
    reason: str = ""
    """Why the pair was not tested at all."""
    figures: dict[str, dict[str, float]] = field(default_factory=dict)
    """By test, further numbers by name: the share of subsets that reject, probabilities of hypotheses."""
    refusals: dict[str, str] = field(default_factory=dict)
    """By test, why it does not answer for this setting."""
    tested_on: dict[str, int] = field(default_factory=dict)
    """By test, the users it was made on, where these are fewer than the pair's: tests of all systems at once."""


def system_pairs(systems: Sequence[str], baseline: str | None = None) -> list[tuple[int, int]]:
    """All pairs (a, b) with a before b; with a baseline, every other system against it as b."""
    if baseline is None:
        return list(combinations(range(len(systems)), 2))
    if baseline not in systems:
        raise UnknownNameError("baseline", baseline, systems)
    b = list(systems).index(baseline)
    return [(a, b) for a in range(len(systems)) if a != b]


def compare_pairs(
    settings: Sequence[SettingValues],
    systems: Sequence[str],
    *,
    tests: Sequence[Test],
    correction: Correction,
    seed: int,
    baseline: str | None = None,
    level: float = 0.95,
    must_answer: bool = True,
) -> list[list[PairComparison]]:
    """Compare systems in every setting: for each setting, one row per pair, in the order of `system_pairs`.

    Pairs of any setting whose users are the same are tested together and share the flips of a permutation test. The
    p-values of one test in one setting are a family for the correction. A pair with fewer than two common users is not
    tested: its p is None and `reason` says so. A test that answers for some settings and not for others says why in
    `refusals`; one that answers for none is an error, unless `must_answer` is false.
    """
    from heldout.significance.grouped import compare_group, group_by_users

    pairs = system_pairs(systems, baseline)
    for setting in settings:
        _check(setting, len(systems))
    for test in tests if must_answer else ():
        check_answers(test, settings)
    rows: list[list[PairComparison | None]] = [[None] * len(pairs) for _ in settings]
    for users, weights, members in group_by_users(settings, pairs):
        step = max(1, _VALUES_AT_ONCE // max(1, len(systems) * len(users)))
        for start in range(0, len(members), step):
            part = members[start : start + step]
            compared = compare_group(
                [settings[s] for s, _ in part], [ps for _, ps in part], pairs, users, weights, tests, seed, level
            )
            for (s, numbers), found in zip(part, compared, strict=True):
                for number, row in zip(numbers, found, strict=True):
                    rows[s][number] = row
    made = []
    for setting, of_setting in zip(settings, rows, strict=True):
        found = [row for row in of_setting if row is not None]
        for test in tests:
            if test.all_at_once and not setting.refusal(test):
                found = _with_all_at_once(setting, test, found, seed)
        made.append(_adjusted(found, tests, correction))
    return made


def layouts_of(setting: SettingValues, tests: Sequence[Test], *, level: float) -> dict[str, Layout]:
    """What tests of all systems at once say of them together in a setting, by test; `level` is that of significance."""
    made = {}
    for test in tests:
        columns = _common_columns(setting)
        if test.all_at_once and not setting.refusal(test) and min(columns.shape) >= 2:
            found = test.layout(columns, level=level, higher_is_better=setting.higher_is_better)
            if found is not None:
                made[str(test)] = found
    return made


def _common_columns(setting: SettingValues) -> Float64:
    """Users × systems on the scale that is tested, of the users that every system is averaged on."""
    kept = setting.included & ~np.isnan(setting.values)
    users = np.flatnonzero(np.logical_and.reduce(kept)).astype(np.int64)
    return setting.tested(users).T


def _with_all_at_once(setting: SettingValues, test: Test, rows: list[PairComparison], seed: int) -> list[PairComparison]:
    columns = _common_columns(setting)
    if min(columns.shape) < 2 or not rows:
        return rows
    p = test.p_values(columns, np.array([(r.a, r.b) for r in rows], dtype=np.int64), seed=seed)
    name = str(test)
    return [
        replace(row, p={**row.p, name: float(found)}, tested_on={**row.tested_on, name: len(columns)})
        for row, found in zip(rows, p, strict=True)
    ]


def _check(setting: SettingValues, systems: int) -> None:
    if setting.values.shape != setting.included.shape or len(setting.values) != systems:
        raise InputError(
            f"{setting.name}: values are {setting.values.shape} and the users included {setting.included.shape}",
            hint=f"both must be {systems} systems × users",
        )
    for weights in () if setting.weights is None else np.atleast_2d(setting.weights):
        check_weights(weights, setting.values.shape[1])


def check_answers(test: Test, settings: Sequence[SettingValues]) -> None:
    """Refuse a test that answers for no setting that any test could answer for."""
    could = [s for s in settings if s.aggregation.compared_by]
    if could and all(s.refusal(test) for s in could):
        try:
            test.check_applicable(could[0].aggregation, weighted=could[0].weighing is not None)
        except NotApplicableError as error:
            raise error.within(could[0].name) from None


def _adjusted(rows: list[PairComparison], tests: Sequence[Test], correction: Correction) -> list[PairComparison]:
    """The rows of one setting with p adjusted over them, one family for each test."""
    made, families = rows, []
    for test in tests:
        name = str(test)
        p = np.array([np.nan if row.p[name] is None else row.p[name] for row in made], dtype=np.float64)
        adjusted = p if test.all_at_once else correction.adjust(p)
        if test.has_p and not test.all_at_once:
            families.append(int((~np.isnan(p)).sum()))
        made = [
            replace(row, p_adjusted={**row.p_adjusted, name: None if np.isnan(q) else float(q)})
            for row, q in zip(made, adjusted, strict=True)
        ]
    return [replace(row, family=max(families, default=0)) for row in made]
