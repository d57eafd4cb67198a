"""A multiverse says of a metric what a study says: over the whole catalogue, to 1e-12.

Every metric × aggregation × rule for undefined values × rule for uncovered users × test that applies is compared, over one
fold and three, with lists that weigh users, with systems that failed. Values are made up, since only what becomes of them is
on trial here. In each case some of the metrics are tried, so that every combination is tried in one case at least;
HELDOUT_ALL=1 tries all metrics in every case.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from tests.heavy import ALL, sampled

from heldout import Study, threads
from heldout.analysis.alignment import AlignedScores, align_scores
from heldout.analysis.settings import AggregatedSetting, aggregate_settings, compare_settings
from heldout.catalogue import classes, parameters
from heldout.errors import SpecError
from heldout.metrics.metric import Metric
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.scores import DENOMINATOR, WEIGHT
from heldout.targets.target import Target
from heldout.universes.compute.comparisons import UniverseComparisons, verdicts
from heldout.universes.grid.file import multiverse_from
from heldout.universes.grid.grid import Multiverse, UniverseLayout, layout

SYSTEMS = ("AverageRating", "PearsonUserKNN(k=5)", "SVD(factors=5)", "SVD(factors=6)")
AGGREGATIONS = [
    *(
        "mean",
        "mean(weight=test)",
        "mean(weight=relevant)",
        "gmean",
        "median",
        "trimmed(share=0.2)",
        "standardised",
        "pooled",
    ),
    *(f"urisk(baseline={SYSTEMS[0]!r})", f"trisk(baseline={SYSTEMS[0]!r})", "zrisk", "georisk"),
]
TESTS = ["t", "sign", "wilcoxon", "permutation(samples=64)", "bootstrap(samples=40)", "tukey", "friedman"]


def others(kind: str, texts: list[str]) -> list[str]:
    """The components of a kind that no text names, as they are by default; of tests, those that give a p."""
    named = {text.partition("(")[0] for text in texts}
    ours = [cls for cls in classes(kind) if cls.__module__.startswith("heldout.")]
    return [cls.key for cls in ours if cls.key not in named and getattr(cls, "has_p", True)]


AGGREGATIONS += others("aggregation", AGGREGATIONS)
TESTS += others("test", TESTS)
USERS = 25
TARGETS = ("AllItems", "OnePlusRandom(10, average=rating)", "OnePlusRandom(10)", "P1R(10, percentiles=3)")


@dataclass(frozen=True)
class Case:
    """What the numbers are made of."""

    target: str
    folds: int = 1
    pooled: bool = False
    failed: tuple[str, ...] = ()
    baseline: str | None = None


CASES = [
    *(Case(target, folds) for target in TARGETS for folds in (1, 3)),
    Case("AllItems", 3, pooled=True),
    Case(TARGETS[1], 3, pooled=True),
    Case("AllItems", failed=(SYSTEMS[2],)),
    Case("AllItems", 3, failed=(SYSTEMS[0],)),
    Case(TARGETS[1], 3, failed=(SYSTEMS[1], SYSTEMS[3])),
    Case("AllItems", baseline=SYSTEMS[1]),
    Case("AllItems", 3, failed=(SYSTEMS[3],), baseline=SYSTEMS[1]),
]


def metrics() -> list[Metric]:
    """Every metric that may decide between systems, with a cut-off where it takes one."""
    instances: list[Metric] = []
    for cls in classes("metric"):
        cut = next((f.name for f in parameters(cls) if f.metadata["cutoff"]), None)
        metric: Any = cls(**({} if cut is None else {cut: 10}))
        if metric.direction != "none":
            instances.append(metric)
    return instances


def chosen(case: Case) -> list[Metric]:
    """The metrics of a case: all of them, or those whose turn it is."""
    every, turn = metrics(), CASES.index(case)
    return every if ALL else every[turn :: len(CASES)]


def test_every_metric_is_tried() -> None:
    assert {str(m) for case in CASES for m in chosen(case)} == {str(m) for m in metrics()}


def grid(case: Case, tried: list[Metric]) -> Multiverse:
    compare: dict[str, Any] = {
        "tests": TESTS,
        "folds": "pooled" if case.pooled else "average",
    }
    keys = {
        "data": "simulate(users=30, items=20, ratings=200)",
        "split": "ratio",
        "recommend": list(SYSTEMS),
        "target": case.target,
        "relevance": "threshold(4)",
        "metrics": [m.full_text for m in tried],
        "objectives": [m.full_text for m in tried if m.descriptive],
        "aggregate": AGGREGATIONS,
        "undefined": [cls.key for cls in classes("undefined")],
        "coverage": [cls.key for cls in classes("coverage")],
        "compare": compare | ({} if case.baseline is None else {"baseline": case.baseline}),
    }
    return multiverse_from(keys)


def table(case: Case, tried: tuple[Metric, ...], target: Target) -> AlignedScores:
    """Made-up scores: undefined values, users without a list, systems that equal each other, users in some folds only."""
    draw = np.random.default_rng(CASES.index(case))
    protocol = ProtocolKey(
        data="d",
        filter="none",
        split="ratio",
        users="with_test",
        fallback="none",
        relevance="threshold(tau=4)",
        target=str(target),
        unrated="zero",
        ties="item",
    )
    tables = []
    for fold in range(case.folds):
        users = np.sort(draw.choice(USERS, USERS - 5 * (case.folds > 1), replace=False)).astype(np.int32)
        n = len(users)
        counts = {name: draw.integers(1, 9, n).astype(float) for name in ("test", "relevant", "train")}
        counts["development"] = np.zeros(n)
        if "percentiles" in case.target:
            counts[WEIGHT] = draw.random(n)
        lists = draw.integers(1, 4, n).astype(np.int32)
        shared = {str(m): _denominators(m, draw, n) for m in tried if m.pooling}
        for number, system in enumerate(SYSTEMS):
            length = np.where(draw.random(n) < 0.12, 0.0, 10.0)
            values = np.stack([_values(m, draw, n, length, number) for m in tried], axis=1)
            divided = {} if target.single else {f"{DENOMINATOR}{name}": column for name, column in shared.items()}
            for name, column in divided.items():  # nothing is divided by where a value is undefined
                own = values[:, [str(m) for m in tried].index(name.removeprefix(DENOMINATOR))]
                divided[name] = np.where(np.isnan(own), 0.0, column)
            if system not in case.failed:
                names = tuple(str(m) for m in tried)
                tables.append(
                    Scores(
                        system=system,
                        protocol=protocol,
                        fold=fold,
                        users=users,
                        metrics=names,
                        values=values,
                        length=length,
                        computed=length,
                        lists=lists,
                        counts={**counts, **divided},
                    )
                )
    present = [system for system in SYSTEMS if system not in case.failed]
    return align_scores(tables, Vocabulary.numbered(USERS), present, pooled=case.pooled)


def _denominators(metric: Metric, draw: np.random.Generator, n: int) -> Any:
    return draw.integers(1, 6, n).astype(float)


def _values(metric: Metric, draw: np.random.Generator, n: int, length: Any, system: int) -> Any:
    """Values within a metric's limits; the last two systems mostly agree."""
    low, high = max(metric.limits[0], -2.0), min(metric.limits[1], 3.0)
    values = low + (high - low) * np.round(draw.random(n), 2)
    if not metric.per_user:
        return np.full(n, values[0])
    if system == len(SYSTEMS) - 1:
        values = np.where(draw.random(n) < 0.8, 0.5 * (low + high), values)
    values = np.where(length == 0, min(max(0.0, low), high), values)
    return values if metric.undefined == "never" else np.where(draw.random(n) < 0.15, np.nan, values)


def universes(case: Case) -> tuple[Study, AlignedScores, tuple[Metric, ...], UniverseLayout, UniverseComparisons]:
    made = grid(case, chosen(case))
    target = made.study.target[0]
    tried = tuple(m for m in made.metrics if made.settings(m, target))
    scores = table(case, tried, target)
    places = layout(made, tried, tried, target, again=False)
    return made.study, scores, tried, places, verdicts(made.study, scores, target, tried, places)


def by_choices(study: Study, scores: AlignedScores) -> dict[tuple[str, ...], AggregatedSetting]:
    """What a study says, by metric, aggregation and both rules; aggregations that need a failed baseline say nothing."""
    compare = replace(study.compare, baseline=study.compare.baseline if study.compare.baseline in scores.systems else None)
    said: dict[tuple[str, ...], AggregatedSetting] = {}
    for aggregation in study.aggregate:
        one = replace(study, aggregate=(aggregation,), compare=compare)
        try:
            settings = aggregate_settings(one, [scores])
        except SpecError:
            assert any(name in str(aggregation) for name in SYSTEMS if name not in scores.systems)
            continue
        if len(scores.systems) > 1:
            compare_settings(replace(one, compare=replace(compare, tests=_answering(study, settings))), settings)
        said |= {(str(s.metric), str(s.aggregation), str(s.undefined), str(s.choice.coverage)): s for s in settings}
    return said


def _answering(study: Study, settings: list[AggregatedSetting]) -> tuple[Any, ...]:
    """The tests that answer for some setting: a study refuses one that answers for none."""
    values = [setting.compared_values() for setting in settings]
    return tuple(t for t in study.compare.tests if any(not v.refusal(t) for v in values))


@sampled
@pytest.mark.parametrize("case", CASES, ids=str)
def test_universes_are_what_a_study_says(case: Case) -> None:
    with threads.using(1), threads.single_blas():
        study, scores, tried, places, found = universes(case)
        said = by_choices(study, scores)
    names = [s.name for s in study.recommend]
    pairs = {pair: k for k, pair in enumerate(_pairs(names, study.compare.baseline))}
    compared = 0
    for row in range(len(places)):
        for setting in _settings(study, said, tried[places.metric[row]], places, row):
            _check_values(found, row, setting, names)
            if setting.metric.per_user:
                compared += _check_pairs(study, found, row, setting, names, pairs, int(places.test[row]))
    assert compared or not chosen(case)


@pytest.mark.parametrize("case", [CASES[k] for k in (0, 1, 3, 8, 13)], ids=str)
def test_universes_of_several_blocks_of_users_are_what_a_study_says(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.tables.blocks.BLOCK_ROWS", 8)
    test_universes_are_what_a_study_says(case)


def _pairs(names: list[str], baseline: str | None) -> list[tuple[str, str]]:
    if baseline is not None:
        return [(name, baseline) for name in names if name != baseline]
    return [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]


def _settings(
    study: Study, said: dict[tuple[str, ...], AggregatedSetting], metric: Metric, places: UniverseLayout, row: int
) -> list[AggregatedSetting]:
    """The settings of a study that a universe stands for: under every rule where a rule does not apply to its metric."""

    def options(place: int, texts: list[str]) -> list[str]:
        return texts if place < 0 else [texts[place]]

    aggregate = options(int(places.aggregate[row]), [str(a) for a in study.all_aggregations])
    undefined = options(int(places.undefined[row]), [*(str(u) for u in study.undefined)])
    # The number of a whole system is taken once, under the first rule.
    coverage = options(int(places.coverage[row]) if metric.per_user else 0, [str(c) for c in study.coverage])
    keys = [(str(metric), a, u, c) for a in aggregate for u in undefined for c in coverage]
    return [said[key] for key in keys if key in said]


def _same(one: float, other: float | None) -> bool:
    if other is None or np.isnan(other):
        return bool(np.isnan(one))
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-13)


def _check_values(found: UniverseComparisons, row: int, setting: AggregatedSetting, names: list[str]) -> None:
    for system, tally in zip(setting.systems, setting.tallies, strict=True):
        k = names.index(system)
        assert _same(found.values[row, k], tally.value), setting
        assert found.users[row, k] == tally.users, setting
        assert _same(found.low[row, k], tally.low) and _same(found.high[row, k], tally.high), setting
    assert found.higher[row] == setting.values.higher_is_better


def _check_pairs(
    study: Study,
    found: UniverseComparisons,
    row: int,
    setting: AggregatedSetting,
    names: list[str],
    pairs: dict[tuple[str, str], int],
    test: int,
) -> int:
    """Differences, effects and p of all pairs of a universe; how many were compared."""
    sign = 1.0 if setting.values.higher_is_better else -1.0
    count = 0
    for pair in setting.pairs:
        k = pairs.get((setting.systems[pair.a], setting.systems[pair.b]))
        if k is None:  # the baseline failed: a study compares all pairs, a multiverse none
            continue
        difference = sign * pair.difference
        assert _same(found.difference[row, k], difference), setting
        assert _same(found.d[row, k], None if pair.effect is None else sign * pair.effect), setting
        size = abs(pair.value_a) + abs(pair.value_b)
        assert _same(found.effect[row, k], 2 * difference / size if size > 0 else 0.0 * difference), setting
        if test >= 0:
            name = str(study.compare.tests[test])
            assert _same(found.p[row, k], pair.p[name]), (name, setting)
            if study.compare.baseline is None or study.compare.baseline in setting.systems:
                assert _same(found.p_adjusted[row, k], pair.p_adjusted[name]), (name, setting)
        count += 1
    return count
