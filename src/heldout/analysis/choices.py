"""What was asked and what it means: the decisions of a study, their options, definitions and the works they cite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from heldout.catalogue import KINDS, Component
from heldout.catalogue.describe import describe
from heldout.catalogue.references import bibliography, reference
from heldout.data.profile import DataSteps
from heldout.metrics.metric import Gain, Metric
from heldout.storage.deferred import Deferred
from heldout.study.analysis import Analysis
from heldout.study.comparison import NO_TEST
from heldout.study.protocol import Protocol
from heldout.study.spec import KINDS_OF_STAGE, Study
from heldout.text.numbers import value_range

SAME_IN_EVERY_RUN = ("seed", "seeds", "papers", "trial", "bias", "options", "inputs", "versions", "machine")
"""Entries of a manifest that a page may show and still be the same bytes in every run."""


@dataclass(frozen=True, kw_only=True)
class Definition:
    """What an option means: its definition card in short."""

    name: str
    summary: str
    formula: str
    assumes: str
    references: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One decision of the study and the options it took."""

    stage: str
    decision: str
    options: tuple[str, ...]
    meaning: str
    """What the first option does, in a sentence."""
    definitions: tuple[Definition, ...] = ()
    """Of every component among the options, each once; metrics have cards of their own."""


@dataclass(frozen=True, kw_only=True)
class Card:
    """What a metric means: its definition card."""

    name: str
    text: str
    """The full text form."""
    summary: str
    formula: str
    assumes: str
    undefined: str
    range: str
    references: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Denominator, gain, ties, short lists, and what other libraries mean by the name, as (word, text)."""


@dataclass(frozen=True, kw_only=True)
class ProtocolFacts:
    """What was asked, what it means and what computed it: the part of the facts that results of other kinds have too."""

    choices: tuple[Choice, ...]
    cards: tuple[Card, ...]
    """Of every metric, each once."""
    references: dict[str, str]
    manifest: dict[str, Any]
    """What does not differ from run to run."""
    profiles: Deferred[tuple[DataSteps, ...]] = field(default_factory=lambda: Deferred.known(()))

    @property
    def data(self) -> tuple[DataSteps, ...]:
        """Each data set before and after its filters."""
        return self.profiles.value


def protocol_facts(study: Study, manifest: Mapping[str, Any], profiles: Deferred[tuple[DataSteps, ...]]) -> ProtocolFacts:
    """The choices of a study with their definitions, and the entries of its manifest that every run shares."""
    chosen = (*protocol_choices(study), *analysis_choices(study))
    cards = tuple({type(metric): metric_card(metric) for metric in reversed(study.metrics)}.values())[::-1]
    return ProtocolFacts(
        choices=chosen,
        cards=cards,
        references=works_cited(chosen, cards),
        manifest=lasting_entries(manifest),
        profiles=profiles,
    )


def lasting_entries(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a manifest that do not differ from run to run."""
    return {key: manifest[key] for key in SAME_IN_EVERY_RUN if key in manifest}


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
    kind = KINDS_OF_STAGE[stage]
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


def analysis_choices(analysis: Analysis, *, compared: bool = True) -> Iterator[Choice]:
    """The decisions of an analysis; how systems are compared only if there are several."""
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
    if compared:
        yield from _compared_how(analysis)


def _compared_how(analysis: Analysis) -> Iterator[Choice]:
    """How systems are compared, apart from the tests."""
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
