"""A study as somebody wrote it: what it means, the keys themselves, and what to call it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heldout.errors import InputError, SpecError
from heldout.experiment.failed_systems import LeftOut, left_out
from heldout.experiment.ledger import read_manifest
from heldout.study.file import read_keys, study_from
from heldout.study.record import recorded_study
from heldout.study.spec import Study
from heldout.study.written_keys import written_keys
from heldout.universes.grid.file import TABLE, multiverse_from


@dataclass(frozen=True)
class Written:
    """A study, and what is known of how it was asked for."""

    study: Study
    given: Mapping[str, Any] | None
    """The keys as they were written; None where they are not known."""
    name: str
    seeds: tuple[int, ...] = ()
    """The seeds of a multiverse; empty where it is none."""
    universes: int = 0
    """How many distinct universes a multiverse has; 0 where that was not counted."""
    manifest: Mapping[str, Any] | None = None
    """What the folder of a multiverse says of it; None where nothing was run."""

    @property
    def left_out(self) -> tuple[LeftOut, ...] | None:
        """Systems that failed; None where nothing was run, or not to its end."""
        if self.manifest is None or not self.manifest.get("complete", True):
            return None
        return left_out(self.manifest, [s.name for s in self.study.recommend])

    @property
    def keys(self) -> list[str] | None:
        """The keys that somebody wrote; None where that is not known."""
        if self.manifest is not None:
            return self.manifest.get("given")
        return written_keys(self.given) if self.given else None


def written_study(subject: str | Path | Mapping[str, Any] | Study) -> Written:
    """The study of a file, of keys or of a value.

    A file with a table `multiverse` may hold options that go together in some combinations only.
    """
    if isinstance(subject, Study):
        return Written(subject, subject.keys, subject.title)
    if isinstance(subject, Mapping):
        return _made(subject, None, "")
    keys = read_keys(subject)
    try:
        return _made(keys, Path(subject).parent, str(subject))
    except (SpecError, InputError) as error:
        raise error.within(str(subject)) from None


def explored_study(folder: str | Path) -> Written | None:
    """The study of a folder that holds a multiverse; None where it holds something else."""
    manifest = read_manifest(folder)
    if manifest.get("kind") != TABLE:
        return None
    study = recorded_study(manifest)
    seeds, universes = tuple(manifest.get("seeds", ())), int(manifest.get("universes", 0))
    return Written(study, None, str(folder), seeds, universes, manifest)


def _made(keys: Mapping[str, Any], folder: Path | None, name: str) -> Written:
    if keys.get(TABLE) is not None:
        multiverse = multiverse_from(keys, folder=folder)
        return Written(multiverse.study, keys, name or multiverse.study.title, multiverse.seeds, len(multiverse))
    study = study_from(keys, folder=folder)
    return Written(study, keys, name or study.title)
