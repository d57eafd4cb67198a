"""What is reviewed without results: studies of files, of keys and of multiverses, and the protocol that a manifest keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heldout.errors import InputError, SpecError
from heldout.experiment.failure import LeftOut, left_out
from heldout.experiment.ledger import read_manifest
from heldout.review.lint.finding import Review
from heldout.review.lint.review import lint_study
from heldout.study.file import read_keys, settled, study_from, written_keys
from heldout.study.record import recorded_study
from heldout.study.spec import Study
from heldout.universes.grid.file import TABLE, multiverse_from


@dataclass(frozen=True, kw_only=True)
class StudyUnderReview:
    """A study, how it was written, and what a multiverse made of it."""

    study: Study
    keys: Mapping[str, Any] | None
    """The keys as they were written; None if they are not known."""
    name: str
    seeds: tuple[int, ...] = ()
    """The seeds of a multiverse; empty if it is none."""
    universes: int = 0
    """How many distinct universes a multiverse has; 0 if that was not counted."""
    manifest: Mapping[str, Any] | None = None
    """What the folder of a multiverse says of it; None if nothing was run."""

    @property
    def left_out(self) -> tuple[LeftOut, ...] | None:
        """Systems that failed; None if nothing was run, or not to its end."""
        if self.manifest is None or not self.manifest.get("complete", True):
            return None
        return left_out(self.manifest, [s.name for s in self.study.recommend])

    @property
    def written(self) -> list[str] | None:
        """The keys that somebody wrote, as `compare.level`; None if that is not known."""
        if self.manifest is not None:
            return self.manifest.get("given")
        return written_keys(self.keys) if self.keys else None


def study_under_review(subject: str | Path | Mapping[str, Any] | Study) -> StudyUnderReview:
    """The study of a file, of keys or of a value.

    A file with a table `multiverse` may hold options that go together in some combinations only.
    """
    if isinstance(subject, Study):
        return StudyUnderReview(study=subject, keys=subject.keys, name=subject.title)
    if isinstance(subject, Mapping):
        return keys_under_review(subject, None)
    keys = read_keys(subject)
    try:
        return keys_under_review(keys, Path(subject).parent, str(subject))
    except (SpecError, InputError) as error:
        raise error.within(str(subject)) from None


def multiverse_under_review(folder: str | Path) -> StudyUnderReview | None:
    """The study of a folder that holds a multiverse; None if it holds something else."""
    manifest = read_manifest(folder)
    return recorded_multiverse(manifest, str(folder)) if manifest.get("kind") == TABLE else None


def recorded_multiverse(manifest: Mapping[str, Any], name: str) -> StudyUnderReview:
    """The study that the manifest of a multiverse keeps."""
    return StudyUnderReview(
        study=recorded_study(manifest),
        keys=None,
        name=name,
        seeds=tuple(manifest.get("seeds", ())),
        universes=int(manifest.get("universes", 0)),
        manifest=manifest,
    )


def keys_under_review(keys: Mapping[str, Any], folder: Path | None, name: str = "") -> StudyUnderReview:
    """The study of keys, whose paths are relative to a folder."""
    keys = settled(keys)
    if keys.get(TABLE) is None:
        study = study_from(keys, folder=folder)
        return StudyUnderReview(study=study, keys=keys, name=name or study.title)
    multiverse = multiverse_from(keys, folder=folder)
    return StudyUnderReview(
        study=multiverse.study,
        keys=keys,
        name=name or multiverse.study.title,
        seeds=multiverse.seeds,
        universes=len(multiverse),
    )


def protocol_review(manifest: Mapping[str, Any], name: str, systems: Sequence[str] = ()) -> Review | None:
    """What lint finds in the protocol of results that are no single run; None if the manifest keeps no study.

    `systems` are those of the results, where runs from elsewhere were judged.
    """
    if "study" not in manifest:
        return None
    failed = recorded_multiverse(manifest, name).left_out if manifest.get("kind") == TABLE else None
    return lint_study(recorded_study(manifest, systems), None, name, tuple(manifest.get("seeds", ())), failed)
