"""The study that a computation over its systems starts from, and the folder that keeps what is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from heldout.api.results import Results
from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger, kind_words, read_manifest
from heldout.study.analysis import DEFAULT_TITLE
from heldout.study.file import read_study, study_from
from heldout.study.record import recorded_study
from heldout.study.spec import Study, own_system


def folder_for(out: str | Path | None, kind: str) -> Ledger | None:
    """The folder for results of a kind; ResultsError where it holds others."""
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


def study_of(
    subject: str | Path | Mapping[str, Any] | Study | Results, models: Mapping[str, Any] | None
) -> tuple[Study, Ledger | None]:
    """The study, and the folder that keeps its ranks, if there is one.

    A folder knows models that were objects by name alone: `models` brings them back, and adds others.
    """
    if isinstance(subject, Results):
        folder = subject.folder
        return _with_models(recorded_study(subject.facts.manifest), models), Ledger(folder) if folder is not None else None
    if isinstance(subject, str | Path) and Path(subject).is_dir():
        manifest = read_manifest(subject)
        if manifest.get("kind"):
            words = f"holds the results of {kind_words(manifest)}, not of one study"
            raise ResultsError(words, where=str(subject), hint="name a study file")
        return _with_models(recorded_study(manifest), models), Ledger(subject)
    if isinstance(subject, Study):
        return subject, None
    if isinstance(subject, Mapping):
        return study_from(subject, models=models), None
    return read_study(subject, models=models), None


def _with_models(study: Study, models: Mapping[str, Any] | None) -> Study:
    """The study with these models in place of its systems of the same names, others after them."""
    systems = {system.name: system for system in study.recommend}
    systems |= {name: own_system(name, model) for name, model in (models or {}).items()}
    return replace(study, recommend=tuple(systems.values()))
