"""From scores to findings: settings aggregated and compared, with leaderboards, a verdict and notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from heldout.analysis.alignment import AlignedScores, align, users_of_group
from heldout.analysis.choices import Choice, analysis_choices, metric_card, works_cited
from heldout.analysis.details import Definitions, Details, Pictures
from heldout.analysis.findings import Findings
from heldout.analysis.notices import about_comparisons, about_groups, about_selected, about_ties
from heldout.analysis.pictures import PICTURES, STREAMED, curve_rows, diagnostic_rows, pictures_of
from heldout.analysis.rows import LeaderRow, NoticeRow, Setting
from heldout.analysis.selection_bias import selected_on_test
from heldout.analysis.sentences import verdict
from heldout.analysis.settings import (
    AggregatedSetting,
    aggregate_settings,
    compare_settings,
    deciding_test,
    layout_rows,
    pair_rows,
    setting_of,
)
from heldout.analysis.stored_scores import StoredScores
from heldout.catalogue import make
from heldout.catalogue.notices import Notice, title_of
from heldout.data.profile import DataSteps
from heldout.errors import NotApplicableError
from heldout.metrics.measuring import depth_of
from heldout.significance.groups import letters
from heldout.splits.sizes import SplitCounts
from heldout.storage.deferred import Deferred
from heldout.study.analysis import Analysis
from heldout.tables import ProtocolKey
from heldout.tables.cell_scores import CellScores


def analyse(
    analysis: Analysis,
    parts: Sequence[CellScores],
    *,
    choices: Callable[[], Iterable[Choice]] = tuple,
    manifest: Mapping[str, Any],
    failed: Mapping[str, str],
    not_measured: Sequence[str],
    stored: Sequence[StoredScores] = (),
    noticed: Iterable[Notice] = (),
    splits: tuple[SplitCounts, ...] = (),
    data: Deferred[tuple[DataSteps, ...]] | None = None,
) -> Findings:
    """Align users, average folds, aggregate and compare every setting.

    `choices` gives those of the protocol, when they are read. `manifest` says how systems were selected, `failed` why some
    are missing, `not_measured` which metrics have no value. `stored` are the scores of each protocol if they are too many
    for parts. `noticed` are warnings about how the scores came about, `splits` and `data` what they are of.
    """
    systems = list(dict.fromkeys(scores.system for part in parts for scores in part.scores))
    systems += [name for table in stored[:1] for name in table.systems]
    protocols = list(dict.fromkeys(scores.protocol for part in parts for scores in part.scores))
    group, level, pooled = analysis.compare.group, analysis.compare.level, analysis.compare.folds == "pooled"
    everyone = [align(parts, protocol, systems, pooled=pooled) for protocol in protocols]
    groups = [users_of_group(table, group) for table in everyone]
    tables: list[AlignedScores | StoredScores] = [*(table for table, _ in groups), *stored]
    refused = next((why for _, why in groups if why), "")
    left_out = dict.fromkeys(not_measured)
    aggregated = aggregate_settings(analysis, tables, left_out)
    if not aggregated:
        raise NotApplicableError(f"nothing is left to aggregate: {'; '.join(left_out)}", where="aggregate")
    if len(systems) > 1 and not refused:
        compare_settings(analysis, [setting for setting in aggregated if setting.contest])
    settings = _settings(aggregated)
    by_setting = list(zip(settings, aggregated, strict=True))
    leaders = [row for setting, numbers in by_setting for row in _leaders(setting, numbers, analysis)]
    pairs = [
        row for setting, numbers in by_setting for row in pair_rows(setting.id, numbers.systems, numbers.pairs, analysis)
    ]
    selected = {
        table.protocol: selected_on_test(manifest, table.protocol, divided=bool(table.development.any()))
        for table in everyone
    } | {table.protocol: selected_on_test(manifest, table.protocol, divided=False) for table in stored}
    answer = verdict(
        settings,
        leaders,
        pairs,
        level,
        systems=systems,
        refused=refused,
        baseline=analysis.compare.baseline,
        selected={setting.id: selected[numbers.protocol] for setting, numbers in by_setting},
        served={setting.id: numbers.served() for setting, numbers in by_setting if not setting.descriptive},
        same_users=lambda a, b: aggregated[a].same_users(aggregated[b]),
        failed=failed,
    )
    notices = [
        *noticed,
        *about_groups([table for table, _ in groups], group),
        *about_selected(list(selected.values()) if len(systems) > 1 else []),
        *about_ties(settings, leaders),
        *about_comparisons(
            aggregated, [s.label for s in settings], list(left_out), pooled=pooled and any(len(table) for table in tables)
        ),
    ]
    primary, primary_choice = aggregated[0].protocol, aggregated[0].choice

    # Details align users again: tables that wait to be read would take as much memory as the scores.
    def compared(protocol: ProtocolKey) -> AlignedScores:
        return users_of_group(align(parts, protocol, systems, pooled=pooled), group)[0]

    def pictures() -> Pictures:
        if stored:
            return Pictures(absent=dict.fromkeys(PICTURES, STREAMED))
        return pictures_of(setting_of(analysis, compared(primary), primary_choice), parts, answer)

    return Findings(
        title=analysis.title,
        task=analysis.task,
        seed=analysis.seed,
        systems=tuple(systems),
        primary=0,
        verdict=answer,
        settings=tuple(settings),
        leaderboard=tuple(leaders),
        comparisons=tuple(pairs),
        splits=splits,
        notices=tuple(NoticeRow(notice.code, notice.message, title_of(notice.code)) for notice in notices),
        manifest=dict(manifest),
        level=level,
        layouts=tuple(row for setting, numbers in by_setting for row in layout_rows(setting.id, numbers)),
        baseline=analysis.compare.baseline,
        details=Details(
            definitions=Deferred(lambda: definitions(analysis, choices(), compared=len(systems) != 1)),
            data=Deferred.known(()) if data is None else data,
            diagnostics=Deferred(lambda: tuple(diagnostic_rows(analysis, protocols, compared))),
            curves=Deferred(lambda: tuple(curve_rows(parts, settings, systems))),
            pictures=Deferred(pictures),
        ),
    )


def definitions(analysis: Analysis, choices: Iterable[Choice], *, compared: bool) -> Definitions:
    """The choices of a protocol and of an analysis with their meaning; `compared` is True if there are several systems."""
    asked = (*choices, *analysis_choices(analysis, compared=compared))
    cards = tuple(metric_card(metric) for metric in analysis.metrics)
    return Definitions(choices=asked, cards=cards, references=works_cited(asked, cards))


def _settings(aggregated: Sequence[AggregatedSetting]) -> list[Setting]:
    """A record of each setting, with its label and the first one before it that has the same values."""
    settings = _labelled([_setting(number, numbers) for number, numbers in enumerate(aggregated)])
    return [replace(s, same_as=first) for s, first in zip(settings, _first_equal(aggregated), strict=True)]


def _setting(number: int, aggregated: AggregatedSetting) -> Setting:
    metric = str(aggregated.metric)
    return Setting(
        id=number,
        choices=asdict(aggregated.protocol),
        metric=metric,
        aggregate=str(aggregated.aggregation),
        undefined=str(aggregated.undefined),
        coverage=str(aggregated.choice.coverage),
        label=metric,
        higher_is_better=aggregated.values.higher_is_better,
        descriptive=not aggregated.contest,
        bound=aggregated.bound,
    )


def _first_equal(aggregated: Sequence[AggregatedSetting]) -> Iterator[int | None]:
    """By setting, the first one before it with the same values of users; None if there is none."""
    firsts: dict[tuple[object, ...], list[int]] = {}
    for number, setting in enumerate(aggregated):
        alike = firsts.setdefault((setting.contest, *(tally.value for tally in setting.tallies)), [])
        first = next((k for k in alike if setting.same_values(aggregated[k])), None)
        if first is None:
            alike.append(number)
        yield first


def _labelled(settings: list[Setting]) -> list[Setting]:
    """Labels of the choices in which settings differ; contests and all others are labelled each among their own."""
    labelled = []
    for descriptive in (False, True):
        alike = [s for s in settings if s.descriptive == descriptive]
        labelled += [replace(s, label=label) for s, label in zip(alike, _labels(alike), strict=True)]
    return labelled


def _labels(settings: Sequence[Setting]) -> list[str]:
    """By setting, the choices in which they differ, the target and the metric first."""
    parts = [
        {
            "target": s.choices["target"],
            "metric": s.metric,
            **{k: v for k, v in s.choices.items() if k != "target"},
            "aggregate": s.aggregate,
            "undefined": s.undefined,
            "coverage": s.coverage,
        }
        for s in settings
    ]
    varying = [key for key in (parts[0] if parts else {}) if len({p[key] for p in parts}) > 1]
    if len({(p["target"], p["relevance"]) for p in parts}) == len({p["target"] for p in parts}):
        # relevance only goes with the target, whose name says it
        varying = [key for key in varying if key != "relevance"]
    if len({(p["metric"], p["undefined"]) for p in parts}) == len({p["metric"] for p in parts}):
        # errors skip what is undefined whatever the rule, and nothing else differs
        varying = [key for key in varying if key != "undefined"]
    if varying and "metric" not in varying:
        varying.insert(1 if varying[0] == "target" else 0, "metric")
    bare = {"target", "metric", "split", "filter", "data", "relevance"}
    words = [[_option(key, part[key], bare=key in bare) for key in varying] for part in parts]
    return [" · ".join(of_setting) or s.metric for s, of_setting in zip(settings, words, strict=True)]


def _option(stage: str, text: str, *, bare: bool) -> str:
    """core(k=5), fallback=none; "none" alone would not say of what."""
    if not bare:
        return f"{stage}={text}"
    return f"no {stage}" if text == "none" else text


def _leaders(setting: Setting, aggregated: AggregatedSetting, analysis: Analysis) -> Iterator[LeaderRow]:
    systems, tallies, pairs = aggregated.systems, aggregated.tallies, aggregated.pairs
    worst = -np.inf if setting.higher_is_better else np.inf
    sign = -1 if setting.higher_is_better else 1
    value = [worst if t.value is None else t.value for t in tallies]
    order = sorted(range(len(systems)), key=lambda k: (sign * value[k], k))
    group = [""] * len(systems)
    test = deciding_test(analysis, pairs)
    if test is not None and analysis.compare.baseline is None:
        group = letters(order, {(p.a, p.b): p.p_adjusted[test] for p in pairs}, alpha=analysis.compare.level)
    n = depth_of(make("metric", setting.metric))
    suffix = "" if n is None else f"@{n}"
    for place, k in enumerate(order, start=1):
        own = tallies[k]
        yield LeaderRow(
            setting=setting.id,
            system=systems[k],
            rank=place,
            value=own.value,
            low=own.low,
            high=own.high,
            users=own.users,
            undefined=own.undefined,
            user_coverage=aggregated.table.covered(k),
            coverage=aggregated.table.share(f"Coverage{suffix}", k),
            unrated=aggregated.table.share(f"Unrated{suffix}", k),
            rho=aggregated.table.share(f"Rho{suffix}", k),
            coverage_ranked=aggregated.table.share(f"Filled{suffix}", k),
            group=group[k],
            tied=aggregated.table.share(f"Tied{suffix}", k),
        )
