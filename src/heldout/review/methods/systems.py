"""The paragraph on systems: what they do, their parameters, and how these were chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heldout.analysis.findings import Findings
from heldout.catalogue import Component, parameters
from heldout.catalogue.prose import cite, lowered, number_word
from heldout.experiment.failure import LeftOut
from heldout.experiment.run_sources import RunSources
from heldout.review.methods.parts import ListEntry, Paragraph, Section, joined
from heldout.study.spec import Study
from heldout.study.systems import System
from heldout.text.numbers import seconds
from heldout.text.phrases import listed


def systems_section(
    study: Study, findings: Findings | None, failed: Sequence[LeftOut] = (), sources: RunSources | None = None
) -> Section:
    """Every system of the study with its parameters, the searches behind them, what fills lists that they cannot, and who
    failed; of an evaluation, the files and descriptions of its runs."""
    if sources is not None:
        return Section("Systems", (_runs(sources),))
    kept = (findings.manifest.get("study") or {}).get("recommend", ()) if findings is not None else ()
    tunings = {str(system.get("name")): system.get("tuning") for system in kept if isinstance(system, Mapping)}
    own = [system.name for system in study.recommend if not system.recommender.key]
    together = ListEntry(listed(own), _OWN[len(own) > 1])
    entries = (_item(s, tunings.get(s.name)) if s.recommender.key else together for s in study.recommend)
    items = tuple(dict.fromkeys(entries))
    n = len(study.recommend)
    introduction = (
        f"we compared {number_word(n)} systems:" if n > 1 else "we evaluated one system:" if n else "every system failed."
    )
    fallbacks = [fallback.phrase() for fallback in study.fallback]
    filled = (
        fallbacks[0]
        if len(fallbacks) == 1
        else f"we tried {number_word(len(fallbacks))} rules for lists: {'; '.join(fallbacks)}"
    )
    untuned = _untuned([s for s in study.recommend if s.tuning is None and type(s.recommender).ranges])
    filled = filled if study.split else ""
    missing = [f"the system {failure.sentence()}" for failure in failed]  # lest a name begin a sentence and get a capital
    after = Paragraph(joined(*missing, untuned, filled))
    return Section("Systems", (Paragraph(f"{introduction[0].upper()}{introduction[1:]}", items), after))


_OWN = (
    "a system of our own, known to the evaluation by what it recommends.",
    "systems of our own, known to the evaluation by what they recommend.",
)
"""What is said of one system that is a program, and of several."""


def _runs(sources: RunSources) -> Paragraph:
    """The runs of an evaluation, each with its description and file as far as they are known."""
    n = len(sources.runs)
    introduction = f"We judged {'one run' if n == 1 else f'{number_word(n)} runs'}, made elsewhere"
    items = []
    for name, run in sources.runs.items():
        texts = [run.description.rstrip("."), f"read from {run.name}" if run.file else ""]
        items.append(ListEntry(name, f"{'; '.join(text for text in texts if text) or 'a table in memory'}."))
    if not any(run.file or run.description for run in sources.runs.values()):
        return Paragraph(f"{introduction} and given as tables in memory: {listed(list(sources.runs))}.")
    return Paragraph(f"{introduction}:", tuple(items))


def _untuned(systems: Sequence[System]) -> str:
    """Which parameters the study sets and which have their defaults; how they came about nothing recorded tells."""
    if not systems:
        return ""
    written = []
    for system in systems:
        values = given_values(system.recommender, defaults=False)
        written += [f"{values} of {system.name}"] if values else []
    names = listed([system.name for system in systems])
    searched = f"no search for the parameters of {names} was recorded"
    if not written:
        return f"{searched}: all of them have their default values"
    return f"{searched}: the study sets {listed(written)}, and all their others have their default values"


def _item(system: System, tuning: Any) -> ListEntry:
    recommender = system.recommender
    values = given_values(recommender)
    text = f"{lowered(recommender.summary())}{cite(recommender.references[:2])}"
    text += f"; {values}" if values else ""
    searched = tuning if isinstance(tuning, Mapping) else system.tuning.summary() if system.tuning is not None else None
    if searched is not None:
        text += f". {_searched(searched)}"
    name = recommender.key if system.name == str(recommender) else system.name
    return ListEntry(name, f"{text.rstrip('.')}.")


def _searched(search: Mapping[str, Any]) -> str:
    ranges = "; ".join(f"{name} in {text}" for name, text in dict(search.get("ranges", {})).items())
    cost = f", at a cost of {seconds(float(search['cpu_seconds']))} of CPU time" if search.get("cpu_seconds") else ""
    carved = f" (`{search['validation']}`)" if search.get("validation") else ""
    chosen = list(dict(search.get("parameters", {})))
    return (
        f"{_were(chosen)} chosen in {search.get('trials')} trials on validation ratings carved out of train{carved}, "
        f"by {search.get('metric')}{cost} (searched: {ranges or 'the ranges of the catalogue'})"
    )


def _were(names: list[str]) -> str:
    """The parameters k and q were; the parameter k was."""
    return f"The parameter{'s' if len(names) > 1 else ''} {listed(names)} {'were' if len(names) > 1 else 'was'}"


def given_values(component: Component, *, defaults: bool = True) -> str:
    """Every parameter with its value, or only those without their default: k = 100, similarity = cosine."""
    texts = []
    for field in parameters(type(component)):
        value = getattr(component, field.name)
        if not defaults and value == field.default:
            continue
        if not field.metadata["cutoff"] and value is not None:
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            texts.append(f"{field.name.replace('_', ' ')} = {shown.lower() if isinstance(value, bool) else shown}")
    return ", ".join(texts)
