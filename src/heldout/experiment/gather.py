"""From scores to facts: users aligned, folds averaged, every setting aggregated and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from heldout.analysis.alignment import align
from heldout.analysis.comparisons import compare_ways, deciding_test, layout_rows, pair_rows
from heldout.analysis.curves import curve_rows
from heldout.analysis.diagnostics import diagnostic_rows
from heldout.analysis.facts import (
    Card,
    Choice,
    DataFacts,
    DataStep,
    Facts,
    LeaderRow,
    NoticeRow,
    Setting,
    SplitFacts,
)
from heldout.analysis.notices import about_comparisons, about_groups, about_selected
from heldout.analysis.selection_bias import selected_on_test
from heldout.analysis.settings import Way, ways_of
from heldout.analysis.user_groups import whom
from heldout.analysis.verdict import verdict
from heldout.catalogue import KINDS, make
from heldout.catalogue.describe import describe
from heldout.catalogue.notices import title_of
from heldout.catalogue.references import bibliography, reference
from heldout.errors import NotApplicableError
from heldout.experiment.failure import why_failed
from heldout.experiment.outcome import Outcome
from heldout.metrics.measuring import depth_of
from heldout.metrics.metric import Gain, Metric
from heldout.significance.groups import letters
from heldout.study.comparison import NO_TEST
from heldout.study.spec import KINDS_OF_STAGE, Study

COMPARED = (
    *("measure", "objectives", "aggregate", "undefined", "coverage"),
    *("compare", "correction", "level", "baseline", "folds", "group"),
)
"""The stages that kept scores can go through again, with other choices."""


def gather(study: Study, outcome: Outcome) -> Facts:
    """All that a report says of a study."""
    systems = outcome.systems()
    pooled = study.compare.folds == "pooled"
    everyone = [align(outcome.parts, p, systems, pooled=pooled) for p in outcome.protocols()]
    groups = [whom(found, study.compare.group) for found in everyone]
    aligned = {found.protocol: found for found, _ in groups}
    refused = next((why for _, why in groups if why), "")
    selected = {
        found.protocol: selected_on_test(outcome.manifest, found.protocol, divided=bool(found.development.any()))
        for found in everyone
    }
    left_out = dict.fromkeys(outcome.left_out)
    ways = ways_of(study, list(aligned.values()), systems, left_out)
    if not ways:
        raise NotApplicableError(f"nothing is left to aggregate: {'; '.join(left_out)}", where="aggregate")
    if len(systems) > 1 and not refused:
        compare_ways(study, [way for way in ways if way.contest])
    settings = _labelled([_setting(number, way) for number, way in enumerate(ways)])
    leaders = [row for s, way in zip(settings, ways, strict=True) for row in _leaders(s, way, study)]
    pairs = [row for s, way in zip(settings, ways, strict=True) for row in pair_rows(s.id, way.systems, way.pairs, study)]
    layouts = [row for s, way in zip(settings, ways, strict=True) for row in layout_rows(s.id, way)]
    about = [*outcome.notices, *about_groups([found for found, _ in groups], study.compare.group)]
    about += about_selected([found for found in selected.values() if len(systems) > 1])
    about += about_comparisons(study, ways, [s.label for s in settings], list(aligned.values()), list(left_out))
    cards = tuple(_card(m) for m in study.measure)
    cited = sorted({key for card in cards for key in card.references} & set(bibliography()))
    return Facts(
        title=study.title,
        task=study.task,
        seed=study.seed,
        systems=tuple(systems),
        primary=0,
        verdict=verdict(
            settings,
            leaders,
            pairs,
            study.compare.level,
            systems=systems,
            refused=refused,
            baseline=study.compare.baseline,
            selected={s.id: selected[way.protocol] for s, way in zip(settings, ways, strict=True)},
            served={s.id: way.served() for s, way in zip(settings, ways, strict=True) if not s.descriptive},
            failed=why_failed(outcome.manifest),
        ),
        settings=tuple(settings),
        leaderboard=tuple(leaders),
        comparisons=tuple(pairs),
        choices=tuple(_choices(study)),
        data=_data(outcome),
        splits=_splits(outcome),
        cards=cards,
        notices=tuple(NoticeRow(n.code, n.message, title_of(n.code)) for n in about),
        references={key: reference(key) for key in cited},
        manifest=outcome.manifest,
        level=study.compare.level,
        layouts=tuple(layouts),
        diagnostics=tuple(diagnostic_rows(study, list(aligned.values()), systems)),
        curves=tuple(curve_rows(outcome.parts, settings, systems)),
        baseline=study.compare.baseline,
    )


def _setting(number: int, way: Way) -> Setting:
    metric = str(way.metric)
    return Setting(
        id=number,
        choices=asdict(way.protocol),
        metric=metric,
        aggregate=way.aggregate,
        undefined=way.undefined,
        coverage=way.coverage,
        label=metric,
        higher_is_better=way.values.higher_is_better,
        descriptive=not way.contest,
        bound=way.bound,
    )


def _labelled(settings: list[Setting]) -> list[Setting]:
    """Labels of the choices in which settings differ; contests and all others are labelled each among their own."""
    made = []
    for descriptive in (False, True):
        alike = [s for s in settings if s.descriptive == descriptive]
        made += [replace(s, label=label) for s, label in zip(alike, _labels(alike), strict=True)]
    return made


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
    words = [[part[key] if key in bare else f"{key}={part[key]}" for key in varying] for part in parts]
    return [" · ".join(of_setting) or s.metric for s, of_setting in zip(settings, words, strict=True)]


def _leaders(setting: Setting, way: Way, study: Study) -> Iterator[LeaderRow]:
    systems, aligned, tallies, pairs = way.systems, way.aligned, way.tallies, way.pairs
    worst = -np.inf if setting.higher_is_better else np.inf
    sign = -1 if setting.higher_is_better else 1
    value = [worst if t.value is None else t.value for t in tallies]
    order = sorted(range(len(systems)), key=lambda k: (sign * value[k], k))
    group = [""] * len(systems)
    test = deciding_test(study, pairs)
    if test is not None and study.compare.baseline is None:
        group = letters(order, {(p.a, p.b): p.p_adjusted[test] for p in pairs}, alpha=study.compare.level)
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
            user_coverage=aligned.covered(k),
            coverage=aligned.share(f"Coverage{suffix}", k),
            unrated=aligned.share(f"Unrated{suffix}", k),
            rho=aligned.share(f"Rho{suffix}", k),
            coverage_ranked=aligned.share(f"Filled{suffix}", k),
            group=group[k],
            tied=aligned.share(f"Tied{suffix}", k),
        )


def _choices(study: Study) -> Iterator[Choice]:
    for stage, options in study.options():
        kind = {**KINDS_OF_STAGE, "recommend": "recommender", "compare": "test"}[stage]
        value = getattr(study, stage)
        if stage == "compare" and not value.tests:
            yield Choice(stage, KINDS[kind].decision, (NO_TEST,), "No difference between systems is tested.")
            continue
        first: Any = value.tests[0] if stage == "compare" else value[0] if value else None
        if first is None:
            continue
        first = first.recommender if stage == "recommend" else first
        chain = first if isinstance(first, tuple) else (first,)
        meaning = " ".join(c.summary() for c in chain if hasattr(c, "summary"))
        yield Choice(stage, KINDS[kind].decision, options, meaning)
        if stage == "measure" and study.objectives:
            names = tuple(m.full_text for m in study.objectives)
            yield Choice("objectives", KINDS[kind].decision, names, "Systems are compared by these too.")
    if len(study.recommend) != 1:
        yield from _compared_how(study)


def _compared_how(study: Study) -> Iterator[Choice]:
    """How systems are compared, beside the tests."""
    asked, decision = study.compare, KINDS["test"].decision
    if asked.tests:
        yield Choice("correction", decision, (str(asked.correction),), asked.correction.summary())
    means = (
        "A difference is significant where its adjusted p is below it." if asked.tests else "Intervals hold with 1 − level."
    )
    yield Choice("level", decision, (f"{asked.level:g}",), means)
    against = "All others are compared with it." if asked.baseline else "All pairs of systems are compared."
    yield Choice("baseline", decision, (asked.baseline or "none",), against)
    folds = {
        "average": "The values of a user are averaged over folds, then users are tested.",
        "pooled": "Each fold of a user is tested as if it were another user.",
    }
    yield Choice("folds", decision, (asked.folds,), folds[asked.folds])
    groups = "Where the split has two groups of users, these are compared."
    yield Choice("group", decision, (asked.group,), groups)


def _data(outcome: Outcome) -> tuple[DataFacts, ...]:
    return tuple(
        DataFacts(d.name, d.filter, tuple(DataStep(label, p.to_dict()) for label, p in d.steps)) for d in outcome.data
    )


def _splits(outcome: Outcome) -> tuple[SplitFacts, ...]:
    return tuple(
        SplitFacts(
            data=s.data,
            filter=s.filter,
            split=s.split,
            fold=s.fold,
            train=s.train,
            test=s.test,
            users=s.users,
            dropped=s.dropped,
            validation=s.validation,
            development=s.development,
            audit=s.audit,
            chosen=s.chosen,
        )
        for s in outcome.splits
    )


def _card(metric: Metric) -> Card:
    found = describe(type(metric))
    low, high = metric.limits
    return Card(
        name=str(metric),
        text=metric.full_text,
        summary=found.summary,
        formula=found.formula,
        assumes=found.assumes,
        undefined=metric.undefined,
        range=f"{low:g} to {high:g}",
        references=metric.references,
        facts=(*_gain_facts(metric), *found.facts),
    )


def _gain_facts(metric: Metric) -> list[tuple[str, str]]:
    """What an item is worth to the metric."""
    gain = getattr(metric, "gain", None)
    if isinstance(gain, Gain):
        return [("Gain", f"{gain}: {type(gain).formula or gain.summary()}")]
    return [("Gain", "1 for a relevant item, 0 for any other")] if hasattr(metric, "rel") else []
