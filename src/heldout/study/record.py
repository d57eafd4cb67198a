"""A study as a manifest keeps it: text forms out, and the study back again, good for reading its choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heldout.catalogue import make, make_all
from heldout.catalogue.text import parse
from heldout.data.memory import Source
from heldout.errors import HeldoutError, InputError
from heldout.recommenders.foreign import Foreign
from heldout.recommenders.recommender import Recommender
from heldout.study.analysis import Analysis, make_measures, make_objectives
from heldout.study.comparison import COMPARE_KEYS, make_comparison
from heldout.study.keys import Chains, declared_keys
from heldout.study.protocol import Protocol
from heldout.study.spec import KEYS, KINDS_OF_STAGE, OPTION_STAGES, Study
from heldout.study.systems import System
from heldout.study.tuned import Tuned
from heldout.tables import Log
from heldout.targets.relevance.by_scale import ScaleGuess

CHAINS = tuple(stage for stage, declared in KEYS.items() if declared.written == Chains)
"""Stages whose options are chains of components."""


def protocol_record(protocol: Protocol) -> dict[str, Any]:
    """A protocol in the words of a study file, every option written out."""
    systems = [
        {"name": s.name, "model": s.recommender.full_text} | ({"tuning": s.tuning.summary()} if s.tuning else {})
        for s in protocol.recommend
    ]
    return {**_record(protocol, Protocol, dict(protocol.protocol_options())), "recommend": systems}


def analysis_record(analysis: Analysis) -> dict[str, Any]:
    """An analysis in the words of a study file, every option written out."""
    compare = {name: _plain(getattr(analysis.compare, name)) for name in COMPARE_KEYS}
    return {**_record(analysis, Analysis, dict(analysis.analysis_options())), "compare": compare}


def study_record(study: Study) -> dict[str, Any]:
    """A study in the words of a study file, every option written out; the engine is none, since no result depends on it."""
    truth = {name: _plain(value) for name in ("truth", "truth_design") if (value := getattr(study, name)) is not None}
    meta = {"meta": dict(study.meta)} if study.meta else {}
    return {**protocol_record(study), **truth, **analysis_record(study), **meta}


def _record(part: Protocol | Analysis, cls: type, options: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The keys of a part of a study with what was chosen; keys that were left out and have no default are missing."""
    record: dict[str, Any] = {}
    for name, declared in declared_keys(cls).items():
        value = getattr(part, name)
        if declared.kind:
            record[name] = list(options[name])
        elif value not in (None, ()):
            record[name] = _plain(value)
    return record


def _plain(value: Any) -> Any:
    """A value as text or number, or a list of texts."""
    if isinstance(value, tuple):
        return [option.full_text for option in value]
    return getattr(value, "full_text", value)


def guess_record(guess: ScaleGuess | None) -> dict[str, Any]:
    """What a manifest keeps of a guessed relevance rule."""
    return {} if guess is None else {"guessed": {"relevance": str(guess.rule), "because": guess.because}}


def recorded_guess(manifest: Mapping[str, Any]) -> ScaleGuess | None:
    """The guessed relevance rule that a manifest keeps."""
    record = manifest.get("guessed")
    if not isinstance(record, Mapping):
        return None
    return ScaleGuess(make("relevance", record["relevance"]), str(record["because"]))


def recorded_study(manifest: Mapping[str, Any], systems: Sequence[str] = ()) -> Study:
    """The study that a manifest keeps; `systems` are those of the results, where runs from elsewhere were judged.

    Ratings and models that were objects in memory are known by name alone: reading and fitting them is refused.
    """
    record = manifest["study"]
    stages: dict[str, Any] = {stage: _options(stage, record[stage]) for stage in OPTION_STAGES}
    stages["metrics"], stages["own_aggregate"] = make_measures(record["metrics"], stages["aggregate"])
    recommend = tuple(map(_system, record["recommend"])) or tuple(System(name, Foreign(name, "")) for name in systems)
    names = [system.name for system in recommend]
    return Study(
        **stages,
        **{name: declared.read(record.get(name)) for name, declared in KEYS.items() if declared.read and name != "engine"},
        recommend=recommend,
        compare=make_comparison({name: record["compare"][name] for name in COMPARE_KEYS}, names),
        objectives=make_objectives(record.get("objectives", ()), stages["metrics"]),
        guess=recorded_guess(manifest),
        truth=_source(record["truth"]) if "truth" in record else None,
        meta=dict(record.get("meta", {})),
    )


def _options(stage: str, texts: Sequence[str]) -> tuple[Any, ...]:
    kind = KINDS_OF_STAGE[stage]
    if stage == "data":
        return tuple(map(_source, texts))
    if stage in CHAINS:
        return tuple(() if text == "none" else tuple(make(kind, part) for part in text.split(" + ")) for text in texts)
    return tuple(dict.fromkeys(component for text in texts for component in make_all(kind, text)))


@dataclass(frozen=True)
class RecordedSource:
    """Ratings that were in memory when a study ran; a manifest keeps their name."""

    full_text: str

    def __str__(self) -> str:
        return self.full_text

    def read(self) -> Log:
        """InputError: the ratings are not kept."""
        raise self._not_kept()

    def source_digest(self) -> str:
        """InputError: the ratings are not kept."""
        raise self._not_kept()

    def _not_kept(self) -> InputError:
        return InputError(
            "these ratings were in memory when the study ran, and its results do not contain them",
            file=self.full_text,
            hint="run the study on a file, or pass the study again instead of its folder",
        )


def _source(text: str) -> Source:
    try:
        reader: Source = make("reader", text)
    except HeldoutError:
        return RecordedSource(text)
    return reader


def _system(record: Mapping[str, Any]) -> System:
    name, tuning = str(record["name"]), record.get("tuning")
    try:
        recommender: Recommender = make("recommender", str(record["model"]))
    except HeldoutError:
        recommender = Foreign(name, _version(str(record["model"])))
    return System(name, recommender, _tuning(str(record["model"]), tuning) if tuning is not None else None)


def _version(text: str) -> str:
    """The version of a model that was in memory; its ranks are found again by name and version."""
    try:
        call = parse(text)
    except HeldoutError:
        return ""
    return str(call.kwargs.get("version", "")) if call.name == "foreign" else ""


def _tuning(model: str, summary: Mapping[str, Any]) -> Tuned:
    """The outcome of a search without its trials, which a manifest does not keep."""
    return Tuned(
        model=model,
        parameters=dict(summary["parameters"]),
        metric=str(summary["metric"]),
        value=float(summary["value"]),
        number=0,
        trials=(),
        cpu_seconds=float(summary["cpu_seconds"]),
        ranges=dict(summary["ranges"]),
        protocol=dict(summary["protocol"]),
    )
