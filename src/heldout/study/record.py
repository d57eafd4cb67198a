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
from heldout.study.analysis import Analysis, make_objectives
from heldout.study.comparison import KEYS, make_comparison
from heldout.study.measures import make_measures
from heldout.study.protocol import Protocol, System
from heldout.study.spec import Study
from heldout.study.stages import KINDS_OF_STAGE
from heldout.study.tuned import Tuned
from heldout.tables import Log
from heldout.targets.relevance.by_scale import ScaleGuess

CHAINS = ("filters", "users")


def protocol_record(protocol: Protocol) -> dict[str, Any]:
    """A protocol in the words of a study file, every option written out."""
    return {
        **{stage: list(options) for stage, options in protocol.protocol_options()},
        **({"validation": protocol.validation.full_text} if protocol.validation is not None else {}),
        **({"development": protocol.development} if protocol.development is not None else {}),
        "recommend": [
            {"name": s.name, "model": s.recommender.full_text} | ({"tuning": s.tuning.summary()} if s.tuning else {})
            for s in protocol.recommend
        ],
        "seed": protocol.seed,
    }


def analysis_record(analysis: Analysis) -> dict[str, Any]:
    """An analysis in the words of a study file, every option written out."""
    return {
        "title": analysis.title,
        "task": analysis.task,
        **{stage: list(options) for stage, options in analysis.analysis_options()},
        **({"objectives": [metric.full_text for metric in analysis.objectives]} if analysis.objectives else {}),
        "compare": {
            "tests": [test.full_text for test in analysis.compare.tests],
            "correction": str(analysis.compare.correction),
            "level": analysis.compare.level,
            "baseline": analysis.compare.baseline,
            "folds": analysis.compare.folds,
            "group": analysis.compare.group,
        },
    }


def study_record(study: Study) -> dict[str, Any]:
    """A study in the words of a study file, every option written out."""
    truth = {} if study.truth is None else {"truth": study.truth.full_text}
    truth |= {} if study.truth_design is None else {"truth_design": study.truth_design}
    meta = {"meta": dict(study.meta)} if study.meta else {}
    return {**protocol_record(study), **truth, **analysis_record(study), **meta}


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
    stages: dict[str, Any] = {stage: _options(stage, record[stage]) for stage in KINDS_OF_STAGE if stage != "metrics"}
    stages["metrics"], stages["own_aggregate"] = make_measures(record["metrics"], stages["aggregate"])
    recommend = tuple(map(_system, record["recommend"])) or tuple(System(name, Foreign(name, "")) for name in systems)
    return Study(
        **stages,
        recommend=recommend,
        compare=make_comparison({key: record["compare"][key] for key in KEYS}, [s.name for s in recommend]),
        task=str(record["task"]),
        seed=int(record["seed"]),
        title=str(record["title"]),
        objectives=make_objectives(record.get("objectives", ()), stages["metrics"]),
        validation=make("split", record["validation"]) if "validation" in record else None,
        development=float(record["development"]) if "development" in record else None,
        guess=recorded_guess(manifest),
        truth=_source(record["truth"]) if "truth" in record else None,
        truth_design=record.get("truth_design"),
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
