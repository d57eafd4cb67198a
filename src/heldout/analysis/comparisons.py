"""Every setting of a study aggregated and its systems compared: from aligned values to rows of facts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from heldout.analysis.facts import LayoutRow, PairRow
from heldout.analysis.settings import AggregatedSetting, SettingNumbers
from heldout.significance.pairs import PairComparison, check_answers, compare_pairs, layouts_of
from heldout.study.analysis import Analysis
from heldout.study.comparison import NO_TEST


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
    """One row for every pair and test of a setting; where nothing is tested, one for every pair."""
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


def layout_rows(number: int, setting: SettingNumbers) -> Iterator[LayoutRow]:
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
