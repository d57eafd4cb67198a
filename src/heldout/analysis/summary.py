"""The numbers and sentences of an analysis: scores in; settings, leaderboard, comparisons, verdict and notices out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from heldout.analysis.alignment import align
from heldout.analysis.comparisons import compare_settings, deciding_test, layout_rows, pair_rows
from heldout.analysis.curves import curve_rows
from heldout.analysis.diagnostics import diagnostic_rows
from heldout.analysis.facts import Card, DiagnosticRow, LayoutRow, LeaderRow, PairRow, Setting
from heldout.analysis.merged_settings import MergedScores
from heldout.analysis.notices import about_comparisons, about_groups, about_selected, about_ties
from heldout.analysis.part import Part
from heldout.analysis.picture_rows import CurveRow, Pictures
from heldout.analysis.pictures import PICTURES, STREAMED, pictures_of
from heldout.analysis.selection_bias import Selected, selected_on_test
from heldout.analysis.settings import SettingNumbers, aggregate_settings
from heldout.analysis.user_groups import users_of_group
from heldout.analysis.verdict import verdict
from heldout.analysis.verdict_rows import Verdict
from heldout.catalogue import make
from heldout.catalogue.describe import describe
from heldout.catalogue.notices import Notice
from heldout.errors import NotApplicableError
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Gain, Metric
from heldout.significance.groups import letters
from heldout.study.analysis import Analysis
from heldout.tables import ProtocolKey
from heldout.words import value_range


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What an analysis says of scores."""

    settings: tuple[Setting, ...]
    leaderboard: tuple[LeaderRow, ...]
    comparisons: tuple[PairRow, ...]
    layouts: tuple[LayoutRow, ...]
    verdict: Verdict
    diagnostics: tuple[DiagnosticRow, ...]
    curves: tuple[CurveRow, ...]
    cards: tuple[Card, ...]
    notices: tuple[Notice, ...]
    """Warnings about how systems are aggregated and compared."""
    pictures: Pictures = field(default_factory=Pictures)


def summarise(
    analysis: Analysis,
    parts: Sequence[Part],
    protocols: Sequence[ProtocolKey],
    systems: Sequence[str],
    *,
    manifest: Mapping[str, Any],
    failed: Mapping[str, str],
    not_measured: Sequence[str],
) -> Summary:
    """Align users, average folds, aggregate and compare every setting.

    `manifest` says how systems were chosen, `failed` why some are missing, `not_measured` which metrics have no value.
    """
    pooled = analysis.compare.folds == "pooled"
    everyone = [align(parts, protocol, systems, pooled=pooled) for protocol in protocols]
    groups = [users_of_group(aligned, analysis.compare.group) for aligned in everyone]
    compared = [aligned for aligned, _ in groups]
    refused = next((why for _, why in groups if why), "")
    selected = {
        aligned.protocol: selected_on_test(manifest, aligned.protocol, divided=bool(aligned.development.any()))
        for aligned in everyone
    }
    left_out = dict.fromkeys(not_measured)
    aggregated = aggregate_settings(analysis, compared, left_out)
    if not aggregated:
        raise NotApplicableError(f"nothing is left to aggregate: {'; '.join(left_out)}", where="aggregate")
    if len(systems) > 1 and not refused:
        compare_settings(analysis, [setting for setting in aggregated if setting.contest])
    summary = assembled(
        analysis,
        aggregated,
        systems,
        selected=selected,
        failed=failed,
        refused=refused,
        left_out=list(left_out),
        notices=[*about_groups(compared, analysis.compare.group)],
        pooled=pooled and any(len(table) for table in compared),
        diagnostics=tuple(diagnostic_rows(analysis, compared)),
        curves=lambda settings: tuple(curve_rows(parts, settings, systems)),
    )
    return replace(summary, pictures=pictures_of(aggregated[0], parts, summary.verdict))


def summarise_merged(
    analysis: Analysis, merged: MergedScores, *, manifest: Mapping[str, Any], not_measured: Sequence[str]
) -> Summary:
    """The same of scores that were added up in pieces."""
    left_out = dict.fromkeys(not_measured)
    aggregated = sorted(merged.settings(analysis, left_out), key=lambda setting: not setting.contest)
    if not aggregated:
        raise NotApplicableError(f"nothing is left to aggregate: {'; '.join(left_out)}", where="aggregate")
    protocols = dict.fromkeys(setting.protocol for setting in aggregated)
    summary = assembled(
        analysis,
        aggregated,
        merged.systems,
        selected={protocol: selected_on_test(manifest, protocol, divided=False) for protocol in protocols},
        failed={},
        refused="",
        left_out=list(left_out),
        notices=[],
        pooled=False,
        diagnostics=(),
        curves=lambda _: (),
    )
    return replace(summary, pictures=Pictures(absent=dict.fromkeys(PICTURES, STREAMED)))


def assembled(
    analysis: Analysis,
    aggregated: Sequence[SettingNumbers],
    systems: Sequence[str],
    *,
    selected: Mapping[ProtocolKey, Mapping[str, Selected]],
    failed: Mapping[str, str],
    refused: str,
    left_out: Sequence[str],
    notices: list[Notice],
    pooled: bool,
    diagnostics: tuple[DiagnosticRow, ...],
    curves: Callable[[Sequence[Setting]], tuple[CurveRow, ...]],
) -> Summary:
    """What settings say together, once they are aggregated and compared."""
    settings = _labelled([_setting(number, numbers) for number, numbers in enumerate(aggregated)])
    by_setting = list(zip(settings, aggregated, strict=True))
    leaders = [row for setting, numbers in by_setting for row in _leaders(setting, numbers, analysis)]
    pairs = [
        row for setting, numbers in by_setting for row in pair_rows(setting.id, numbers.systems, numbers.pairs, analysis)
    ]
    notices += about_selected(list(selected.values()) if len(systems) > 1 else [])
    notices += about_ties(settings, leaders)
    notices += about_comparisons(aggregated, [s.label for s in settings], left_out, pooled=pooled)
    return Summary(
        settings=tuple(settings),
        leaderboard=tuple(leaders),
        comparisons=tuple(pairs),
        layouts=tuple(row for setting, numbers in by_setting for row in layout_rows(setting.id, numbers)),
        verdict=verdict(
            settings,
            leaders,
            pairs,
            analysis.compare.level,
            systems=systems,
            refused=refused,
            baseline=analysis.compare.baseline,
            selected={setting.id: selected[numbers.protocol] for setting, numbers in by_setting},
            served={setting.id: numbers.served() for setting, numbers in by_setting if not setting.descriptive},
            same_users=lambda a, b: aggregated[a].same_users(aggregated[b]),
            failed=failed,
        ),
        diagnostics=diagnostics,
        curves=curves(settings),
        cards=tuple(metric_card(metric) for metric in analysis.metrics),
        notices=tuple(notices),
    )


def _setting(number: int, aggregated: SettingNumbers) -> Setting:
    metric = str(aggregated.metric)
    return Setting(
        id=number,
        choices=asdict(aggregated.protocol),
        metric=metric,
        aggregate=aggregated.aggregate,
        undefined=aggregated.undefined,
        coverage=aggregated.coverage,
        label=metric,
        higher_is_better=aggregated.higher_is_better,
        descriptive=not aggregated.contest,
        bound=aggregated.bound,
    )


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


def _leaders(setting: Setting, aggregated: SettingNumbers, analysis: Analysis) -> Iterator[LeaderRow]:
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
            user_coverage=aggregated.covered(k),
            coverage=aggregated.share(f"Coverage{suffix}", k),
            unrated=aggregated.share(f"Unrated{suffix}", k),
            rho=aggregated.share(f"Rho{suffix}", k),
            coverage_ranked=aggregated.share(f"Filled{suffix}", k),
            group=group[k],
            tied=aggregated.share(f"Tied{suffix}", k),
        )


def metric_card(metric: Metric) -> Card:
    """What a metric means."""
    description = describe(type(metric), metric)
    low, high = metric.limits
    return Card(
        name=str(metric),
        text=metric.full_text,
        summary=description.summary,
        formula=description.formula,
        assumes=description.assumes,
        undefined=metric.undefined,
        range=value_range(low, high),
        references=metric.references,
        facts=(*_gain_facts(metric), *description.facts),
    )


def _gain_facts(metric: Metric) -> list[tuple[str, str]]:
    """What an item is worth to the metric."""
    gain = getattr(metric, "gain", None)
    if isinstance(gain, Gain):
        return [("Gain", f"{gain}: {type(gain).formula or gain.summary()}")]
    return [("Gain", "1 for a relevant item, 0 for any other")] if hasattr(metric, "rel") else []
