"""Studies that anybody may have written: only components of the catalogue, and only paths inside one folder.

    python -m heldout.web.catalogue_study FOLDER

reads the keys of a study from its input and writes its plan. This process reads data of any size, and can be stopped.
"""

from __future__ import annotations

import glob
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from heldout.catalogue import KINDS, Component
from heldout.catalogue.lookup import own_modules
from heldout.catalogue.text import Call, parse
from heldout.errors import HeldoutError, SpecError, shown
from heldout.review.lint.finding import Review
from heldout.review.lint.review import lint_study
from heldout.review.study_under_review import StudyUnderReview, keys_under_review
from heldout.universes.grid.file import multiverse_from
from heldout.universes.grid.plan import Plan
from heldout.universes.grid.plan import plan as plan_grid
from heldout.web.summaries import entries_below

CATALOGUE = {module for kind in KINDS for module in own_modules(kind).values()}
"""Modules that declare the components of Heldout itself."""
NO_PATHS = ("title", "task", "engine")
"""Keys whose texts name nothing that is read."""
MOST_FILES_LOOKED_AT = 10_000
"""Files in a folder of data among which links and pipes are looked for; a folder with more is refused."""


LONGEST = 60.0
"""Seconds that the plan of a study may take."""


@dataclass(frozen=True, kw_only=True)
class CatalogueStudy:
    """A study of components of the catalogue, whose paths lie inside a folder."""

    keys: Mapping[str, Any]
    folder: Path
    reviewed: StudyUnderReview

    def review(self) -> Review:
        """What a referee would object to."""
        reviewed = self.reviewed
        return lint_study(reviewed.study, reviewed.keys, reviewed.name, reviewed.seeds, None, ())

    def plan(self) -> Plan:
        """What it would take: trial fits on a few users are made larger."""
        return plan_grid(multiverse_from(self.keys, folder=self.folder))


def catalogue_study(keys: Mapping[str, Any], folder: Path) -> CatalogueStudy:
    """The study of keys whose paths are relative to a folder.

    SpecError if it names a component that is not of the catalogue (one of an installed package, or of a script), or a
    path that leads out of the folder, by itself or by a link.
    """
    home = folder.resolve()
    for key, value in keys.items():
        if key not in NO_PATHS:
            for text in _texts(value):
                _refuse_outside(text, home, key)
    reviewed = keys_under_review(keys, home)
    for component in _components(reviewed.study):
        if type(component).__module__ not in CATALOGUE:
            raise SpecError(
                f"'{component}' is not of the catalogue of Heldout, and nothing else is started here",
                hint="run it by `heldout run`, as yourself",
            )
    return CatalogueStudy(keys=keys, folder=home, reviewed=reviewed)


def _texts(value: Any) -> Iterator[str]:
    """All texts among the values of a study, those inside text forms too."""
    if isinstance(value, str):
        yield value
        try:
            call = parse(value)
        except SpecError:
            return  # a path, or what is refused later
        for argument in (*call.args, *call.kwargs.values()):
            yield from _texts(argument)
    elif isinstance(value, Call):
        for argument in (*value.args, *value.kwargs.values()):
            yield from _texts(argument)
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _refuse_outside(text: str, home: Path, key: str) -> None:
    """SpecError if a text, were it a path, would lead out of the folder."""
    outside = SpecError(
        f"{shown(text)} leads out of the folder that is served", where=key, hint="name a file inside it, without links"
    )
    if "://" in text:
        raise SpecError(
            f"{shown(text)} is an address, and only files of the served folder are read here",
            where=key,
            hint="run it by `heldout run`, as yourself",
        )
    try:
        place = (home / Path(text).expanduser()).resolve()
        matches = [Path(p) for p in glob.glob(str(home / text), recursive=True)] if glob.has_magic(text) else []  # noqa: PTH207
        if any(not path.resolve().is_relative_to(home) for path in (place, *matches)):
            raise outside
        for path in (place, *matches):
            if path.is_dir():
                _refuse_unfit_files(path, home, outside, key)
            elif path.exists() and not path.is_file():
                raise _no_file(path, key)
    except (OSError, ValueError, RuntimeError):
        raise outside from None  # a path that cannot be followed, or a home folder of nobody


def _refuse_unfit_files(folder: Path, home: Path, outside: SpecError, key: str) -> None:
    """SpecError if a reader of this folder would follow a link out of the served one, or wait for a pipe."""
    for number, entry in enumerate(entries_below(folder)):
        path = Path(entry.path)
        if number >= MOST_FILES_LOOKED_AT:
            words = f"{folder.name} holds more than {MOST_FILES_LOOKED_AT:,} files, which are too many to check here"
            raise SpecError(words, where=key, hint="name a file in it, or run the study by `heldout run`, as yourself")
        if entry.is_symlink() and not path.resolve().is_relative_to(home):
            raise outside
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise _no_file(path, key)


def _no_file(path: Path, key: str) -> SpecError:
    return SpecError(f"{path.name} is neither a file nor a folder", where=key, hint="name a file inside the served folder")


def _components(value: Any) -> Iterator[Component]:
    """All components in a study, those that are parameters of others too."""
    if isinstance(value, Component):
        yield value
    if isinstance(value, list | tuple):
        for inner in value:
            yield from _components(inner)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _components(getattr(value, field.name))


def plan_apart(keys: Mapping[str, Any], folder: Path, *, longest: float = LONGEST) -> dict[str, Any]:
    """Plan a study in a separate process and return plain values; SpecError if it cannot be planned, or not in time."""
    # -P: a file in the working folder that is named as a module of Python must not be run in its place.
    command = [sys.executable, "-P", "-m", "heldout.web.catalogue_study", str(folder)]
    try:
        trial = subprocess.run(command, input=json.dumps(keys).encode(), capture_output=True, timeout=longest, check=False)
    except subprocess.TimeoutExpired:
        raise SpecError(
            f"the trial took longer than {longest:g} s and was stopped",
            hint="start the study and watch it, or try a sample of the data: filters = sample(users=0.1)",
        ) from None
    if trial.returncode != 0:
        last = trial.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        raise SpecError(f"the trial ended with code {trial.returncode}: {last or 'nothing was said'}")
    answer = json.loads(trial.stdout)
    if "problem" in answer:
        raise SpecError(answer["problem"])
    return dict(answer["plan"])


def main() -> None:
    """Read the keys of a study from the input, and write its plan, or what is wrong with it, as JSON."""
    try:
        plan = catalogue_study(json.load(sys.stdin), Path(sys.argv[1])).plan()
        answer: dict[str, Any] = {"plan": {**asdict(plan), "seconds": plan.seconds}}
    except HeldoutError as error:
        answer = {"problem": str(error)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
