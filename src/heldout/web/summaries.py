"""The results folders below a folder, and what each is in a few words, whatever state it is in."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from heldout.analysis.rows import Verdict
from heldout.api.kinds.kind import known_kinds
from heldout.catalogue import make
from heldout.errors import HeldoutError, ResultsError
from heldout.experiment.ledger import WorkSeen, other_version, parts_key, read_manifest, read_sealed, work_seen, writer_of
from heldout.study.record import CHAINS
from heldout.study.spec import KINDS_OF_STAGE
from heldout.study.tuned import NAME as TUNED
from heldout.study.tuned import read_tuned
from heldout.tables.display import headline

MANIFEST = "manifest.json"
MARKS = (MANIFEST, TUNED, ".lock")
"""Files by which a results folder is known."""
INDEX = "index.sqlite"
"""The index of a results folder, which tells nothing that other files do not."""
DEEPEST = 4
"""Folders within folders that are looked through."""
MOST_FOLDERS = 20_000
"""Folders that are looked into: a home folder has more, and each request would wait for all of them."""
STATES = {"finished": "finished", "running": "running", "unfinished": "not finished", "damaged": "cannot be read"}
"""States of results, and what they are called."""


@cache
def kind_labels() -> dict[str, str]:
    """Kinds of results, and what they are called."""
    kinds = {kind.name: kind.label for kind in known_kinds()}
    study = kinds.pop(None)
    others = {str(name): label for name, label in kinds.items()}
    return {"study": study, "evaluation": "Evaluation of runs", **others, "tuned": "Tuned parameters", "unknown": "Unknown"}


@dataclass(frozen=True, kw_only=True)
class FolderContents:
    """A results folder in a few words."""

    kind: str
    """One of `kind_labels()`."""
    title: str
    state: str
    """One of `STATES`."""
    verdict: str = ""
    """What was found, in sentences; empty if nothing is known yet."""
    doing: str = ""
    """What a run is at, and how far; empty if nothing runs."""
    problem: str = ""
    """What is wrong with the folder, and what to do, in a sentence; empty if nothing is."""
    systems: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    failed: Mapping[str, str] = field(default_factory=dict)
    """Cells that failed, and why."""
    protocol: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Key of a study file → options, as short as they can be written."""
    seconds: float | None = None
    """What the work took, if the manifest says so."""


@dataclass(frozen=True, kw_only=True)
class StudyFolder:
    """A results folder, before anything in it is read."""

    path: Path
    changed: float
    """When one of its files last changed, in seconds since 1970."""
    stamp: tuple[tuple[str, int, int], ...]
    """Name, time and size of its files: as long as these are the same, so is what the folder says."""


@dataclass(frozen=True, kw_only=True)
class StudySearch:
    """The results folders that were found in a folder."""

    folders: list[StudyFolder]
    whole: bool
    """Whether every folder was looked into; False if there are more than `MOST_FOLDERS`."""


def study_folders(folder: str | Path) -> StudySearch:
    """The results folders in a folder, itself included: the ones nearest to it first.

    Links are not followed, hidden folders and the inside of results are not looked through, and what goes away or cannot be
    listed meanwhile is left out.
    """
    studies, waiting, looked_into = list[StudyFolder](), deque([(Path(folder), DEEPEST)]), 0
    while waiting and looked_into < MOST_FOLDERS:
        path, depth = waiting.popleft()
        looked_into += 1
        study, inner = _look_into(path)
        if study is not None:
            studies.append(study)
        elif depth:
            waiting.extend((below, depth - 1) for below in inner)
    return StudySearch(folders=studies, whole=not waiting)


def _look_into(folder: Path) -> tuple[StudyFolder | None, list[Path]]:
    """A folder if it holds results, and the folders in it."""
    files, inner = list[tuple[str, int, int]](), list[Path]()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    inner += [] if entry.name.startswith(".") else [Path(entry.path)]
                elif entry.is_file(follow_symlinks=False) and not entry.name.startswith(INDEX):
                    status = entry.stat(follow_symlinks=False)
                    files.append((entry.name, status.st_mtime_ns, status.st_size))
    except OSError:
        return None, []  # it went away, or may not be read
    if any(name in MARKS for name, _, _ in files):
        changed = max(time for _, time, _ in files) / 1e9
        return StudyFolder(path=folder, changed=changed, stamp=tuple(sorted(files))), []
    return None, sorted(inner)


def entries_below(folder: Path, on_error: Callable[[Path, OSError], None] | None = None) -> Iterator[os.DirEntry[str]]:
    """Everything in a folder and in those below, however deep; links are not followed.

    `on_error` receives the error of a folder that cannot be listed; without it, the OSError is raised.
    """
    waiting = [folder]
    while waiting:
        place = waiting.pop()
        try:
            listing = os.scandir(place)
        except OSError as error:
            if isinstance(error, FileNotFoundError) and place != folder:
                continue  # it has just been removed
            if on_error is None:
                raise
            on_error(place, error)
            continue
        with listing:
            for entry in listing:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(Path(entry.path))


def is_study_folder(folder: Path) -> bool:
    """Whether a folder holds results, or a run is at work there."""
    return any((folder / name).is_file() and not (folder / name).is_symlink() for name in MARKS)


def study_summary(folder: str | Path) -> FolderContents:
    """What a results folder is; if it cannot be read, `problem` says why."""
    place = Path(folder)
    writer = writer_of(place)
    try:
        with reading(place):
            return _tuned(place, writer) if not (place / MANIFEST).exists() else _summary(place, writer)
    except HeldoutError as problem:
        words = "" if writer else _sentence(problem)
    return FolderContents(kind="unknown", title=place.name, state="running" if writer else "damaged", problem=words)


@contextmanager
def reading(folder: str | Path) -> Iterator[None]:
    """ResultsError if what is read of a folder has another form than this version writes."""
    try:
        yield
    except HeldoutError:
        raise
    except (KeyError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise other_version(Path(folder), error) from None


def study_work(folder: str | Path) -> WorkSeen:
    """What can be seen of the work on a results folder: who does it, how far it is, what failed."""
    return work_seen(Path(folder))


def _tuned(folder: Path, writer: Mapping[str, Any]) -> FolderContents:
    if not (folder / TUNED).exists() and not writer:
        raise ResultsError("nothing was found yet: the run ended before its first part", hint="run it again")
    if writer:
        return FolderContents(kind="unknown", title=folder.name, state="running")
    tuned = read_tuned(folder)
    protocol = short_protocol({stage: (text,) for stage, text in tuned.protocol.items() if stage != "data_digest"})
    return FolderContents(
        kind="tuned",
        title=folder.name,
        state="finished",
        verdict=headline(tuned),
        systems=(tuned.model,),
        data=protocol.get("data", ()),
        protocol=protocol,
        seconds=tuned.cpu_seconds,
    )


def _summary(folder: Path, writer: Mapping[str, Any]) -> FolderContents:
    manifest = read_manifest(folder)
    record = manifest.get("study") or {}
    systems = tuple(str(system["name"]) for system in record.get("recommend", ()))
    kind = str(manifest.get("kind") or ("study" if systems else "evaluation"))
    finished = bool(manifest.get("complete", True)) and not writer
    verdict, problem = "", ""
    if finished:
        try:
            verdict, systems = _verdict(folder, kind, manifest, systems)
        except HeldoutError as error:
            problem = _sentence(error)
    elif not writer:
        problem = "The run did not finish; give the same command again, and it goes on where it stopped."
    state = "running" if writer else "damaged" if finished and problem else "finished" if finished else "unfinished"
    protocol = short_protocol(written_protocol(manifest))
    return FolderContents(
        kind=kind if kind in kind_labels() else "unknown",
        title=str(manifest.get("title") or folder.name),
        state=state,
        verdict=verdict,
        doing=_doing(folder) if writer else "",
        problem=problem,
        systems=systems,
        data=protocol.get("data", ()),
        failed=dict(manifest.get("failed", {})),
        protocol=protocol,
        seconds=_spent(manifest["seconds"]) if manifest.get("seconds") else None,
    )


def _spent(seconds: Mapping[str, float]) -> float:
    """The seconds of all stages; ValueError if they are not a number that can be written."""
    spent = float(sum(seconds.values()))
    if not math.isfinite(spent):
        raise ValueError(f"seconds of {spent}")
    return spent


def _doing(folder: Path) -> str:
    progress = work_seen(folder).progress
    return ": ".join(text for text in (progress.get("estimate", ""), progress.get("stage", "")) if text)


def _verdict(folder: Path, kind: str, manifest: Mapping[str, Any], systems: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """What was found, and of which systems."""
    if kind in ("study", "evaluation"):
        path = folder / "facts.json"
        try:
            facts, key = read_sealed(path)  # the tables in it are not needed, and may be large
        except FileNotFoundError:
            hint = "run the same study again: nothing is fitted anew"
            raise ResultsError("is missing", where=str(path), hint=hint) from None
        if key != parts_key(manifest):
            raise ResultsError("is of an earlier run", where=str(path), hint="run the same study again")
        verdict = Verdict(answer=str(facts["verdict"]["answer"]), numbers=str(facts["verdict"]["numbers"]))
        return verdict.sentence, systems or tuple(map(str, facts["systems"]))
    from heldout.api.load import load

    return "\n".join(load(folder).sentences), systems


def written_protocol(manifest: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Key of a study file → options as a manifest keeps them, with every parameter; `compare.level` is a key of a table."""
    record = dict(manifest.get("study") or {})
    compare = record.pop("compare", None) or {}
    record |= {"compare" if key == "tests" else f"compare.{key}": value for key, value in compare.items()}
    record.pop("title", None)
    if manifest.get("seeds"):  # of a multiverse, which has more than the study's own
        record.pop("seed", None)
        record["multiverse.seeds"] = manifest["seeds"]
    record["recommend"] = [_system(system) for system in record.get("recommend", ())]
    entries = {key: value if isinstance(value, list) else [value] for key, value in record.items()}
    return {key: tuple(map(str, value)) for key, value in entries.items() if value not in ([], [None], [""])}


def short_protocol(protocol: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """A protocol whose options are as short as they can be written."""
    return {key: tuple(_short(key, option) for option in options) for key, options in protocol.items()}


def _system(record: Mapping[str, Any]) -> str:
    name, model = str(record["name"]), str(record["model"])
    return model if name in (model, _short("recommend", model)) else f"{name} = {model}"


KIND_OF_KEY = {**KINDS_OF_STAGE, "truth": "reader", "validation": "split", "objectives": "metric"}
"""Keys of a study file whose options are written out in a manifest, and the kind of their components."""


@lru_cache(maxsize=4096)
def _short(key: str, text: str) -> str:
    """An option as somebody would write it, without parameters that are as they are by default."""
    if key not in KIND_OF_KEY or text == "none":
        return text
    if key in CHAINS and " + " in text:
        return " + ".join(_short(key, part) for part in text.split(" + "))
    try:
        return str(make(KIND_OF_KEY[key], text))
    except HeldoutError:
        return text  # ratings or a model that were in memory, or a component that is not installed here


def _sentence(error: HeldoutError) -> str:
    """An error as a sentence for somebody who sees which folder it is about; a file in it is named."""
    file = Path(error.where).name if Path(error.where).suffix else ""
    what = f"{file} {error.problem}" if file and file not in error.problem else error.problem
    text = f"{what}; {error.hint}" if error.hint else what
    return f"{text if file else text[:1].upper() + text[1:]}."
