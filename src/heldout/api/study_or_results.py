"""What an argument means that is a study or results: a computation's study and folder, or the subject of a review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from heldout.analysis.findings import Findings
from heldout.api.load import load_kind
from heldout.api.results import Results, require_kind
from heldout.errors import ResultsError
from heldout.experiment.ledger import SOURCES, Ledger, kind_words, read_manifest
from heldout.experiment.run_sources import recorded_sources
from heldout.experiment.study_scores import finished_manifest
from heldout.review.study_under_review import StudyUnderReview, multiverse_under_review, study_under_review
from heldout.study.analysis import DEFAULT_TITLE
from heldout.study.file import read_study, study_from
from heldout.study.record import recorded_study
from heldout.study.spec import OF_RUNS, Study
from heldout.study.systems import own_system


def folder_for(out: str | Path | None, kind: str | None) -> Ledger | None:
    """The folder for results of a kind; ResultsError if it holds others."""
    if out is None:
        return None
    ledger = Ledger(out)
    earlier = ledger.earlier()
    if earlier is not None and earlier.get("kind") != kind:
        words = f"the folder holds the results of {kind_words(earlier)}"
        raise ResultsError(words, where=str(ledger.folder), hint="choose another --out")
    return ledger


def title_for(study: Study, otherwise: str) -> str:
    """The study's title, or another where it has none of its own: what is done to it may be no comparison."""
    return otherwise if study.title == DEFAULT_TITLE else study.title


def judged_inputs(subject: Any) -> dict[str, Any] | None:
    """The arguments that judge the runs of an evaluation again, from its folder or Results; None for anything else.

    ResultsError if a file is not what was judged, or an input was in memory and is not kept.
    """
    folder = subject.folder if isinstance(subject, Results) else subject
    manifest: Mapping[str, Any] = {}
    if isinstance(subject, Results):
        manifest = require_kind(subject, Findings).findings.manifest
    elif isinstance(subject, str | Path) and Path(subject).is_dir():
        manifest = finished_manifest(subject)
    sources = recorded_sources(manifest)
    if sources is None:
        return None
    if folder is None:
        raise ResultsError("the inputs of this evaluation are not kept", hint="keep them: ho.evaluate(…, out=folder)")
    test, runs, train = sources.paths(Path(folder), manifest.get("inputs", {}))
    items = sources.items.file or None if sources.items is not None else None
    inputs = {"qrels": test, "runs": runs, "train": train, "items": items, "scores": sources.scores}
    return inputs | {stage: manifest["study"][stage] for stage in (*OF_RUNS, "undefined")}


def study_of(
    subject: str | Path | Mapping[str, Any] | Study | Results[Findings], models: Mapping[str, Any] | None
) -> tuple[Study, Ledger | None]:
    """The study, and the folder that keeps its ranks, if there is one.

    A folder knows models that were objects by name alone: `models` brings them back, and adds others.
    """
    if isinstance(subject, Results):
        folder, manifest = subject.folder, require_kind(subject, Findings).findings.manifest
        _refuse_runs(manifest, folder or "results")
        return _with_models(recorded_study(manifest), models), Ledger(folder) if folder is not None else None
    if isinstance(subject, str | Path) and Path(subject).is_dir():
        manifest = read_manifest(subject)
        if manifest.get("kind"):
            words = f"holds the results of {kind_words(manifest)}, not of one study"
            raise ResultsError(words, where=str(subject), hint="name a study file")
        _refuse_runs(manifest, subject)
        return _with_models(recorded_study(manifest), models), Ledger(subject)
    if isinstance(subject, Study):
        return subject, None
    if isinstance(subject, Mapping):
        return study_from(subject, models=models), None
    return read_study(subject, models=models), None


def _refuse_runs(manifest: Mapping[str, Any], place: str | Path) -> None:
    """ResultsError if results are of runs, whose systems nothing here can fit."""
    if SOURCES in manifest:
        raise ResultsError("holds runs that were judged, and no systems to fit", where=str(place), hint="name a study file")


def _with_models(study: Study, models: Mapping[str, Any] | None) -> Study:
    """The study with these models in place of its systems of the same names, others after them."""
    systems = {system.name: system for system in study.recommend}
    systems |= {name: own_system(name, model) for name, model in (models or {}).items()}
    return replace(study, recommend=tuple(systems.values()))


StudyOrResults = str | Path | Mapping[str, Any] | Study | Results[Findings]
"""A study file, its keys, a Study, a results folder or Results."""


def subject_of(subject: StudyOrResults) -> Results[Findings] | StudyUnderReview:
    """The results of a folder; of a folder with a multiverse, or of a study, what was asked."""
    if isinstance(subject, Results):
        return require_kind(subject, Findings)
    if isinstance(subject, str | Path) and Path(subject).is_dir():
        return multiverse_under_review(subject) or load_kind(subject, Findings)
    return study_under_review(subject)
