"""The main entry: all pairs of systems, or all against a baseline, compared in any number of settings at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from heldout.aggregations.aggregation import check_weights
from heldout.errors import InputError, NotApplicableError, UnknownNameError
from heldout.significance.batches import (
    Pairs,
    PairStatistics,
    common_columns,
    compare_batches,
)
from heldout.significance.significance_test import MIRRORED, Correction, Layout, Test
from heldout.significance.value_batch import ValueBatch
from heldout.tables.arrays import Float64


@dataclass(frozen=True, kw_only=True)
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
    """By test, further numbers by name: the share of subsets that reject, probabilities of hypotheses, non-zero users."""
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
    settings: Sequence[ValueBatch],
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
    pairs = system_pairs(systems, baseline)
    for setting in settings:
        _check(setting, len(systems))
    for test in tests if must_answer else ():
        check_answers(test, settings)
    compared = compare_batches(settings, pairs, tests=tests, seed=seed, level=level)
    return [
        pair_comparisons(setting, statistics, pairs, tests, correction)
        for setting, statistics in zip(settings, compared, strict=True)
    ]


def pair_comparisons(
    setting: ValueBatch, statistics: PairStatistics, pairs: Pairs, tests: Sequence[Test], correction: Correction
) -> list[PairComparison]:
    """One row for each pair of a setting, p adjusted over them."""
    return _adjusted(_rows(setting, statistics, pairs, tests), tests, correction)


def layouts_of(setting: ValueBatch, tests: Sequence[Test], *, level: float) -> dict[str, Layout]:
    """What tests of all systems at once say of them together in a setting, by test; `level` is that of significance."""
    layouts = {}
    for test in tests:
        if not test.all_at_once or setting.refusal(test):
            continue
        columns = common_columns(setting.whole(), 0)
        if min(columns.shape) >= 2:
            layout = test.layout(columns, level=level, higher_is_better=setting.higher_is_better)
            if layout is not None:
                layouts[str(test)] = layout
    return layouts


def _rows(setting: ValueBatch, statistics: PairStatistics, pairs: Pairs, tests: Sequence[Test]) -> list[PairComparison]:
    """One row for each pair, p not adjusted yet."""
    refusals = {str(test): why for test in tests if (why := setting.refusal(test))}
    rows = []
    for k, (a, b) in enumerate(pairs):
        users = int(statistics.users[0, k])
        wins, losses = int(statistics.greater[0, k]), int(statistics.less[0, k])
        share = _number(statistics.superiority[0, k])
        if not setting.higher_is_better:
            wins, losses, share = losses, wins, None if share is None else 1.0 - share
        rows.append(
            PairComparison(
                a=a,
                b=b,
                users=users,
                value_a=float(statistics.value_a[0, k]),
                value_b=float(statistics.value_b[0, k]),
                difference=float(statistics.difference[0, k]),
                low=_number(statistics.low[0, k]),
                high=_number(statistics.high[0, k]),
                effect=_number(statistics.cohen_d[0, k]),
                wins=wins,
                ties=int(statistics.equal[0, k]),
                losses=losses,
                superiority=share,
                p={name: _number(p[0, k]) for name, p in statistics.p.items()},
                p_adjusted={},
                family=0,
                reason=_reason(users, testable=bool(statistics.testable[0, k])),
                figures={
                    name: _figures(figures, k, higher_is_better=setting.higher_is_better)
                    for name, figures in statistics.figures.items()
                },
                refusals=refusals,
                tested_on={name: int(of_test[0, k]) for name, of_test in statistics.tested_on.items()},
            )
        )
    return rows


def _number(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def _reason(users: int, *, testable: bool) -> str:
    if testable:
        return ""
    if users < 2:
        return f"a paired test needs at least 2 users, found {users}"
    return "a paired test needs at least 2 users, and one user holds all the weight"


def _figures(figures: dict[str, Float64], pair: int, *, higher_is_better: bool) -> dict[str, float]:
    """The figures of one pair; what is better where lower values are is what is less."""
    named = {name: float(values[0, pair]) for name, values in figures.items() if not np.isnan(values[0, pair])}
    return named if higher_is_better else {MIRRORED.get(name, name): value for name, value in named.items()}


def _check(setting: ValueBatch, systems: int) -> None:
    values = setting.values.values[:, 0]
    if values.shape != setting.included.shape or len(values) != systems:
        raise InputError(
            found=[str(values.shape), str(setting.included.shape)],
            expected=f"values and included users of {systems} systems × users",
        ).within(setting.name)
    for weights in () if setting.weights is None else np.atleast_2d(setting.weights):
        check_weights(weights, values.shape[1])


def check_answers(test: Test, settings: Sequence[ValueBatch]) -> None:
    """Refuse a test that answers for no setting that any test could answer for."""
    could = [s for s in settings if s.aggregation.compared_by]
    if could and all(s.refusal(test) for s in could):
        try:
            test.check_applicable(could[0].aggregation, weighted=could[0].weighing is not None)
        except NotApplicableError as error:
            raise error.within(could[0].name) from None


def _adjusted(rows: list[PairComparison], tests: Sequence[Test], correction: Correction) -> list[PairComparison]:
    """The rows of one setting with p adjusted over them, one family for each test."""
    adjusted_rows, families = rows, []
    for test in tests:
        name = str(test)
        p = np.array([np.nan if row.p[name] is None else row.p[name] for row in adjusted_rows], dtype=np.float64)
        adjusted = p if test.all_at_once else correction.adjust(p)
        if test.has_p and not test.all_at_once:
            families.append(int((~np.isnan(p)).sum()))
        adjusted_rows = [
            replace(row, p_adjusted={**row.p_adjusted, name: None if np.isnan(q) else float(q)})
            for row, q in zip(adjusted_rows, adjusted, strict=True)
        ]
    return [replace(row, family=max(families, default=0)) for row in adjusted_rows]
