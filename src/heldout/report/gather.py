"""From scores to facts: users aligned, folds averaged, every setting aggregated and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import product
from typing import Any

import numpy as np

from heldout.aggregate.tally import Tally, tally
from heldout.catalogue import KINDS, make
from heldout.catalogue.describe import describe
from heldout.catalogue.notices import PAGES
from heldout.catalogue.references import bibliography, reference
from heldout.compare.groups import letters
from heldout.compare.pairs import PairComparison, SettingValues, compare_pairs
from heldout.measure.measuring import depth_of
from heldout.measure.metric import Metric
from heldout.report.align import Aligned, align
from heldout.report.facts import (
    Card,
    Choice,
    DataFacts,
    DataStep,
    Facts,
    LeaderRow,
    Notice,
    PairRow,
    Setting,
    SplitFacts,
)
from heldout.report.verdict import verdict
from heldout.study.outcome import Outcome
from heldout.study.spec import KINDS_OF_STAGE, Study
from heldout.tables import Protocol


def gather(study: Study, outcome: Outcome) -> Facts:
    """All that a report says of a study."""
    systems = outcome.systems()
    aligned = {p: align(outcome, p, systems) for p in outcome.protocols()}
    settings: list[Setting] = []
    values: list[SettingValues] = []
    tallies: list[list[Tally]] = []
    ways = list(product(study.measure, study.aggregate, study.undefined, study.coverage))
    for found in aligned.values():
        for metric, aggregation, undefined, coverage in ways:
            if metric.direction == "none":
                continue
            column = found.column(str(metric))
            weights = found.lists if make("target", found.protocol.target).by_rating else None
            settings.append(_setting(len(settings), found.protocol, metric, str(aggregation), str(undefined), str(coverage)))
            tallies.append(
                tally(
                    column,
                    found.length,
                    undefined=undefined,
                    coverage=coverage,
                    aggregation=aggregation,
                    weights=weights,
                    computed=found.computed,
                    level=1 - study.compare.level,
                )
            )
            values.append(
                SettingValues(
                    str(metric),
                    undefined.apply(column),
                    np.array(coverage.included(list(found.length))),
                    aggregation,
                    weights,
                    higher_is_better=metric.direction == "higher",
                )
            )
    settings = _labelled(settings)
    compared = (
        compare_pairs(
            values,
            systems,
            tests=study.compare.tests,
            correction=study.compare.correction,
            seed=study.seed,
            baseline=study.compare.baseline,
            level=1 - study.compare.level,
        )
        if len(systems) > 1
        else [[] for _ in settings]
    )
    leaders = [
        row
        for s, t, pairs in zip(settings, tallies, compared, strict=True)
        for row in _leaders(s, systems, t, pairs, aligned[_protocol(s)], study)
    ]
    pairs = [row for s, found in zip(settings, compared, strict=True) for row in _pairs(s, systems, found, study)]
    cards = tuple(_card(m) for m in study.measure)
    cited = sorted({key for card in cards for key in card.references} & set(bibliography()))
    return Facts(
        study.title,
        study.task,
        study.seed,
        tuple(systems),
        0,
        verdict(settings, leaders, pairs, study.compare.level),
        tuple(settings),
        tuple(leaders),
        tuple(pairs),
        tuple(_choices(study)),
        _data(outcome),
        _splits(outcome),
        cards,
        tuple(Notice(n.code, n.message, PAGES[n.code].title) for n in outcome.notices),
        {key: reference(key) for key in cited},
        outcome.manifest,
        study.compare.level,
    )


def _setting(number: int, protocol: Protocol, metric: Metric, aggregate: str, undefined: str, coverage: str) -> Setting:
    return Setting(
        number, asdict(protocol), str(metric), aggregate, undefined, coverage, str(metric), metric.direction == "higher"
    )


def _labelled(settings: list[Setting]) -> list[Setting]:
    """Labels of the choices in which the settings differ, the target and the metric first."""
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
    bare = {"target", "metric", "split", "filter", "data", "relevance"}
    made = []
    for setting, part in zip(settings, parts, strict=True):
        words = [part[key] if key in bare else f"{key}={part[key]}" for key in varying]
        made.append(
            Setting(
                setting.id,
                setting.choices,
                setting.metric,
                setting.aggregate,
                setting.undefined,
                setting.coverage,
                " · ".join(words) or setting.metric,
                setting.higher_is_better,
            )
        )
    return made


def _protocol(setting: Setting) -> Protocol:
    return Protocol(**setting.choices)


def _leaders(
    setting: Setting,
    systems: Sequence[str],
    tallies: Sequence[Tally],
    pairs: Sequence[PairComparison],
    aligned: Aligned,
    study: Study,
) -> Iterator[LeaderRow]:
    worst = -np.inf if setting.higher_is_better else np.inf
    sign = -1 if setting.higher_is_better else 1
    value = [worst if t.value is None else t.value for t in tallies]
    order = sorted(range(len(systems)), key=lambda k: (sign * value[k], k))
    group = [""] * len(systems)
    if pairs and study.compare.baseline is None:
        test = str(study.compare.tests[0])
        group = letters(order, {(p.a, p.b): p.p_adjusted[test] for p in pairs}, alpha=study.compare.level)
    n = depth_of(make("metric", setting.metric))
    suffix = "" if n is None else f"@{n}"
    for place, k in enumerate(order, start=1):
        own = tallies[k]
        ranked = None if n is None else float(np.mean(np.minimum(aligned.length[k], n)) / n)
        yield LeaderRow(
            setting.id,
            systems[k],
            place,
            own.value,
            own.low,
            own.high,
            own.users,
            own.undefined,
            own.user_coverage,
            _mean(aligned, f"Coverage{suffix}", k),
            _mean(aligned, f"Unrated{suffix}", k),
            _mean(aligned, f"Rho{suffix}", k),
            ranked,
            group[k],
        )


def _mean(aligned: Aligned, metric: str, system: int) -> float | None:
    if metric not in aligned.metrics:
        return None
    column = aligned.column(metric)[system]
    known = ~np.isnan(column)
    return float(column[known].mean()) if known.any() else None


def _pairs(setting: Setting, systems: Sequence[str], found: Sequence[PairComparison], study: Study) -> Iterator[PairRow]:
    for pair in found:
        for test in study.compare.tests:
            name = str(test)
            yield PairRow(
                setting.id,
                name,
                systems[pair.a],
                systems[pair.b],
                pair.value_a,
                pair.value_b,
                pair.difference,
                pair.low,
                pair.high,
                pair.effect,
                pair.wins,
                pair.ties,
                pair.losses,
                pair.p[name],
                pair.p_adjusted[name],
                str(study.compare.correction),
                pair.family,
                pair.users,
            )


def _choices(study: Study) -> Iterator[Choice]:
    for stage, options in study.options():
        kind = {**KINDS_OF_STAGE, "recommend": "recommender", "compare": "test"}[stage]
        value = getattr(study, stage)
        first: Any = value.tests[0] if stage == "compare" else value[0] if value else None
        if first is None:
            continue
        first = first.recommender if stage == "recommend" else first
        chain = first if isinstance(first, tuple) else (first,)
        meaning = " ".join(c.summary() for c in chain if hasattr(c, "summary"))
        yield Choice(stage, KINDS[kind].decision, options, meaning)


def _data(outcome: Outcome) -> tuple[DataFacts, ...]:
    return tuple(
        DataFacts(d.name, d.filter, tuple(DataStep(label, p.to_dict()) for label, p in d.steps)) for d in outcome.data
    )


def _splits(outcome: Outcome) -> tuple[SplitFacts, ...]:
    return tuple(SplitFacts(s.data, s.filter, s.split, s.fold, s.train, s.test, s.users, s.dropped) for s in outcome.splits)


def _card(metric: Metric) -> Card:
    found = describe(type(metric))
    low, high = metric.range
    return Card(
        str(metric),
        metric.full_text,
        found.summary,
        found.formula,
        found.assumes,
        metric.undefined,
        f"{low:g} to {high:g}",
        metric.references,
    )
