"""Every setting of a study aggregated and its systems compared: from aligned values to rows of facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heldout.analysis.facts import LayoutRow, PairRow
from heldout.analysis.settings import Way
from heldout.significance.pairs import PairComparison, SettingValues, check_answers, compare_pairs, layouts_of
from heldout.study.analysis import Analysis
from heldout.study.comparison import NO_TEST


def compare_ways(analysis: Analysis, ways: Sequence[Way]) -> None:
    """Compare the systems of every setting; pairs and layouts are noted there.

    Settings of the same systems are compared together. Where a metric does not apply to the baseline, all pairs are.
    """
    by_systems: dict[tuple[str, ...], list[Way]] = {}
    for way in ways:
        by_systems.setdefault(way.systems, []).append(way)
    whole = [SettingValues.of(f"{way.metric}, {way.aggregate}", way.values) for way in ways]
    for test in analysis.compare.tests:
        check_answers(test, whole)
    for systems, group in by_systems.items():
        if len(systems) < 2:
            continue
        settings = [SettingValues.of(f"{way.metric}, {way.aggregate}", way.values) for way in group]
        compared = compare_pairs(
            settings,
            systems,
            tests=analysis.compare.tests,
            correction=analysis.compare.correction,
            seed=analysis.seed,
            baseline=analysis.compare.baseline if analysis.compare.baseline in systems else None,
            level=1 - analysis.compare.level,
            must_answer=False,
        )
        for way, setting, pairs in zip(group, settings, compared, strict=True):
            way.pairs = pairs if way.metric.per_user else [_untested(pair) for pair in pairs]
            way.layouts = layouts_of(setting, analysis.compare.tests, level=analysis.compare.level)


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


def pair_rows(number: int, systems: Sequence[str], found: Sequence[PairComparison], analysis: Analysis) -> Iterator[PairRow]:
    """One row for every pair and test of a setting; where nothing is tested, one for every pair."""
    for pair in found:
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


def layout_rows(number: int, way: Way) -> Iterator[LayoutRow]:
    """One row for every test of all systems at once."""
    for test, found in way.layouts.items():
        places = {system: float(place) for system, place in zip(way.systems, found.places, strict=True)}
        yield LayoutRow(
            setting=number,
            test=test,
            name=found.name,
            statistic=found.statistic,
            p=found.p,
            scale=found.scale,
            places=places,
            critical=found.critical,
            users=found.users,
        )
