"""The facts of a report: what an analysis makes of scores, with the data, the protocol and the manifest they came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from heldout.analysis.facts import (
    Card,
    Choice,
    DataFacts,
    DataStep,
    Definition,
    Facts,
    NoticeRow,
    ProtocolFacts,
    SplitFacts,
)
from heldout.analysis.summary import metric_card, summarise, summarise_merged
from heldout.catalogue import KINDS, Component
from heldout.catalogue.describe import describe
from heldout.catalogue.notices import title_of
from heldout.catalogue.references import bibliography, reference
from heldout.experiment.failure import why_failed
from heldout.experiment.outcome import DataSteps, Outcome
from heldout.json_codec import from_plain, to_plain
from heldout.study.analysis import Analysis
from heldout.study.comparison import NO_TEST
from heldout.study.protocol import Protocol
from heldout.study.spec import Study
from heldout.study.stages import KINDS_OF_STAGE

ANALYSED = (
    *("metrics", "objectives", "aggregate", "undefined", "coverage"),
    *("compare", "correction", "level", "baseline", "folds", "group"),
)
"""The stages of an analysis, which scores can go through again with other choices."""
SAME_IN_EVERY_RUN = ("seed", "seeds", "papers", "trial", "bias", "options", "inputs", "versions", "machine")
"""Entries of a manifest that a page may show and still be the same bytes in every run."""


def gather(analysis: Analysis, outcome: Outcome, choices: Sequence[Choice]) -> Facts:
    """All that a report says; `choices` are those of the protocol, which gave the scores."""
    systems = outcome.systems()
    if outcome.merged is not None:
        summary = summarise_merged(analysis, outcome.merged, manifest=outcome.manifest, not_measured=outcome.left_out)
    else:
        summary = summarise(
            analysis,
            outcome.parts,
            outcome.protocols(),
            systems,
            manifest=outcome.manifest,
            failed=why_failed(outcome.manifest),
            not_measured=outcome.left_out,
        )
    chosen = (*choices, *_analysis_choices(analysis), *(_compared_how(analysis) if len(systems) != 1 else ()))
    notices = (*outcome.notices, *summary.notices)
    return Facts(
        title=analysis.title,
        task=analysis.task,
        seed=analysis.seed,
        systems=tuple(systems),
        primary=0,
        verdict=summary.verdict,
        settings=summary.settings,
        leaderboard=summary.leaderboard,
        comparisons=summary.comparisons,
        choices=chosen,
        data=data_facts(outcome.data),
        splits=_splits(outcome),
        cards=summary.cards,
        notices=tuple(NoticeRow(n.code, n.message, title_of(n.code)) for n in notices),
        references=works_cited(chosen, summary.cards),
        manifest=outcome.manifest,
        level=analysis.compare.level,
        layouts=summary.layouts,
        diagnostics=summary.diagnostics,
        curves=summary.curves,
        baseline=analysis.compare.baseline,
        pictures=summary.pictures,
    )


def protocol_facts(study: Study, manifest: Mapping[str, Any]) -> ProtocolFacts:
    """The choices of a study with their definitions, and what its manifest says whatever the run was like."""
    chosen = (*protocol_choices(study), *_analysis_choices(study), *_compared_how(study))
    cards = tuple({type(metric): metric_card(metric) for metric in reversed(study.metrics)}.values())[::-1]
    return ProtocolFacts(
        choices=chosen,
        cards=cards,
        references=works_cited(chosen, cards),
        manifest=lasting_entries(manifest),
        data=recorded_data(manifest),
    )


def lasting_entries(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a manifest that do not differ from run to run."""
    return {key: manifest[key] for key in SAME_IN_EVERY_RUN if key in manifest}


def recorded_data(manifest: Mapping[str, Any]) -> tuple[DataFacts, ...]:
    """The data sets before and after their filters, as a manifest keeps them."""
    return tuple(from_plain(DataFacts, entry) for entry in manifest.get("data", ()))


def data_record(data: Sequence[DataSteps]) -> list[dict[str, Any]]:
    """What a manifest keeps of data sets before and after their filters, each once."""
    once = {(steps.name, steps.filter): steps for steps in reversed(data)}
    return [to_plain(facts) for facts in data_facts(list(once.values())[::-1])]


def works_cited(choices: Sequence[Choice], cards: Sequence[Card], others: Sequence[str] = ()) -> dict[str, str]:
    """The works that definitions cite, and others of these keys, as they are written."""
    keys = [*others, *(key for card in cards for key in card.references)]
    keys += [key for choice in choices for definition in choice.definitions for key in definition.references]
    cited = sorted(set(keys) & set(bibliography()))
    return {key: reference(key) for key in cited}


def protocol_choices(protocol: Protocol) -> tuple[Choice, ...]:
    """The decisions of a protocol that were made here, with their options."""
    return tuple(
        _choice(stage, options, getattr(protocol, stage)) for stage, options in protocol.protocol_options() if options
    )


def _components(option: Any) -> tuple[Any, ...]:
    """The components of an option: one, or a chain."""
    of_option = getattr(option, "recommender", option)
    return of_option if isinstance(of_option, tuple) else (of_option,)


def _choice(stage: str, options: tuple[str, ...], values: Sequence[Any]) -> Choice:
    kind = {**KINDS_OF_STAGE, "recommend": "recommender", "compare": "test"}[stage]
    meaning = " ".join(component.summary() for component in _components(values[0]) if hasattr(component, "summary"))
    return Choice(
        stage=stage,
        decision=KINDS[kind].decision,
        options=options,
        meaning=meaning,
        definitions=() if stage == "metrics" else _definitions(values),
    )


def _definitions(values: Sequence[Any]) -> tuple[Definition, ...]:
    """What every component among these options means, each class once."""
    classes = dict.fromkeys(type(c) for option in values for c in _components(option) if isinstance(c, Component))
    return tuple(map(definition, classes))


def definition(cls: type[Component]) -> Definition:
    """What a component means, in short."""
    d = describe(cls)
    return Definition(name=d.key, summary=d.summary, formula=d.formula, assumes=d.assumes, references=d.references)


def _analysis_choices(analysis: Analysis) -> Iterator[Choice]:
    decision = KINDS["metric"].decision
    for stage, options in analysis.analysis_options():
        if stage == "compare":
            tests = analysis.compare.tests
            untested = Choice(
                stage=stage,
                decision=KINDS["test"].decision,
                options=(NO_TEST,),
                meaning="No difference between systems is tested.",
            )
            yield _choice(stage, options, tests) if tests else untested
        elif options:
            yield _choice(stage, options, getattr(analysis, stage))
        if stage == "metrics" and analysis.objectives:
            names = tuple(metric.full_text for metric in analysis.objectives)
            yield Choice(stage="objectives", decision=decision, options=names, meaning="Systems are compared by these too.")


def _compared_how(analysis: Analysis) -> Iterator[Choice]:
    """How systems are compared, beside the tests."""
    compare, decision = analysis.compare, KINDS["test"].decision
    if compare.tests:
        means = compare.correction.summary()
        yield Choice(
            stage="correction",
            decision=decision,
            options=(str(compare.correction),),
            meaning=means,
            definitions=_definitions([compare.correction]),
        )
    means = (
        "A difference is significant where its adjusted p is below it."
        if compare.tests
        else "Intervals hold with 1 − level."
    )
    yield Choice(stage="level", decision=decision, options=(f"{compare.level:g}",), meaning=means)
    against = "All others are compared with it." if compare.baseline else "All pairs of systems are compared."
    yield Choice(stage="baseline", decision=decision, options=(compare.baseline or "none",), meaning=against)
    folds = {
        "average": "The values of a user are averaged over folds, then users are tested.",
        "pooled": "Each fold of a user is tested as if it were another user.",
    }
    yield Choice(stage="folds", decision=decision, options=(compare.folds,), meaning=folds[compare.folds])
    groups = "Where the split has two groups of users, these are compared."
    yield Choice(stage="group", decision=decision, options=(compare.group,), meaning=groups)


def data_facts(data: Sequence[DataSteps]) -> tuple[DataFacts, ...]:
    """Data sets before and after their filters, as reports show them."""
    return tuple(DataFacts(d.name, d.filter, tuple(DataStep(label, p.to_dict()) for label, p in d.steps)) for d in data)


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
