"""The results folder: Parquet parts, each named by the digest of all it depends on, and a manifest.

A part is written under a temporary name, flushed and renamed, so a folder is valid at every moment: stop at any time,
run the same study again, and only the missing parts are computed.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

import polars as pl

from heldout.errors import ResultsError, WriteError
from heldout.experiment.failure import Failure
from heldout.experiment.ledger.index import NAME as INDEX
from heldout.experiment.ledger.index import Index
from heldout.experiment.ledger.manifest import (
    NAME,
    OlderFormatError,
    folder_path,
    is_stopped_evaluation,
    kind_words,
    manifest_text,
    read_manifest,
)
from heldout.experiment.ledger.part import curves_text, read_header, read_scores, write_part, write_scores
from heldout.experiment.ledger.ranks_part import entries_in, entries_of, read_ranks, write_ranks
from heldout.progress import believable
from heldout.storage.files import is_unfinished, remove_unfinished, write_file
from heldout.storage.lock import NAME as LOCK
from heldout.storage.lock import Permit, locked, read_note, writer_of
from heldout.storage.results_files import could_not_write, read_whole, untouched, write_whole
from heldout.tables.arrays import digest_of
from heldout.tables.cell_scores import CellScores
from heldout.targets.ranker import Ranked, RankPlan

WORK = ".work"
PROGRESS = "progress.json"
"""In the folder for work: how far it is, for other processes to read."""


class Ledger:
    """A folder of results, opened for a study."""

    def __init__(self, folder: str | Path) -> None:
        """Accept a folder that does not exist yet, is empty, or holds results; refuse any other."""
        self.folder = folder_path(folder)
        if self.folder.exists():
            if not self.folder.is_dir():
                raise ResultsError(
                    "is a file, not a folder for results", where=str(self.folder), hint="choose another --out"
                )
            others = [p for p in self.folder.iterdir() if not is_unfinished(p) and p.name not in (LOCK, WORK)]
            if others and not (self.folder / NAME).exists():
                raise ResultsError(
                    "the folder is not empty and holds no results of Heldout",
                    where=str(self.folder),
                    hint="choose another --out",
                )
            if (self.folder / NAME).exists():
                self.earlier()
        self._announced: dict[str, Any] = {}
        self._index = Index(self.folder)
        self._permit = Permit()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Be the one who writes here; ResultsError where another process is. What killed runs left behind is cleared.

        Afterwards nothing can be written through this ledger: threads that Ctrl-C left behind may still hold it.
        """
        self._refuse_unwritable()
        with locked(self.folder) as first:
            if first and (self.folder / NAME).exists():
                self._indexed(self._index.refresh)
            try:
                self._clear(first=first)
                with self._permit.held():
                    yield
            finally:
                self._clear(first=first)  # a process of a killed run may have written to the end of its time

    def _clear(self, *, first: bool) -> None:
        """Remove what killed runs left behind, and what was needed only for the work."""
        if first:
            shutil.rmtree(self.work, ignore_errors=True)
            for folder in [self.folder, *(path for path in self.folder.iterdir() if path.is_dir())]:
                remove_unfinished(folder)

    @property
    def work(self) -> Path:
        """A folder for what is needed only while a run is at work."""
        return self.folder / WORK

    def earlier(self) -> dict[str, Any] | None:
        """The manifest of the last run; None if there is none, or if it has the format of an earlier version."""
        if not (self.folder / NAME).exists():
            return None
        try:
            return read_manifest(self.folder)
        except OlderFormatError:
            return None

    def is_new_for(self, manifest: Mapping[str, Any]) -> bool:
        """Whether nothing of these results is kept here yet; ResultsError if the folder holds others.

        An evaluation that was stopped while it was written does not count: it is written again from the start.
        """
        earlier = self.earlier()
        if earlier is None or is_stopped_evaluation(earlier):
            return True
        if _identity(earlier) != _identity(manifest):
            words = f"the folder holds the results of {kind_words(earlier)}"
            raise ResultsError(words, where=str(self.folder), hint="choose another folder")
        return False

    def announce(self, manifest: dict[str, Any]) -> None:
        """Remember the manifest; it is written with the first part, so that a run that fails earlier leaves no folder."""
        self._announced = manifest
        self._refuse_unwritable()
        if (self.folder / NAME).exists():
            self.write_manifest(manifest)

    def begin(self) -> None:
        """Say what is run, before its first part is there."""
        if not (self.folder / NAME).exists():
            self.write_manifest(self._announced)

    # Scores

    def has(self, key: str) -> bool:
        """Whether a part of scores is there."""
        return self._scores(key).exists()

    def save(self, key: str, part: CellScores) -> None:
        """Write a part of scores; afterwards it is there whole, or not at all."""
        self.begin()
        if part.curves:
            self.save_text(f"scores/{self._scores(key).stem}.curves.json", curves_text(part))
        path = self._scores(key)
        write_whole(path, lambda temporary: write_scores(part, temporary, path.stem), permitted=self._permit.used)
        self.note(path)

    def load(self, key: str) -> CellScores:
        """Read a part of scores back."""
        path = self._scores(key)
        part, curves = read_whole(path, lambda: read_scores(path, path.stem))
        if curves is None:
            return part
        beside = path.with_suffix(".curves.json")
        return replace(part, curves=read_whole(beside, lambda: curves(beside)))

    # Ranks

    def save_ranks(self, key: str, plan: RankPlan, ranked: Ranked, about: dict[str, Any] | None = None) -> None:
        """Write what fitting and ranking a system by a plan gave; `key` tells the fit."""
        self.begin()
        path = self.ranks_file(key, plan)
        write_whole(path, lambda temporary: write_ranks(ranked, temporary, path.stem, about), permitted=self._permit.used)
        self.note(path)

    def has_ranks(self, key: str, plan: RankPlan) -> bool:
        """Whether a file of this fit has all that a plan asks for."""
        return self._ranks_path(key, plan) is not None

    def load_ranks(self, key: str, plan: RankPlan) -> Ranked | None:
        """The ranks that a plan asks for, if a file of this fit has them all; None otherwise."""
        path = self._ranks_path(key, plan)
        if path is None:
            return None
        if path != self.ranks_file(key, plan):  # lists that another plan asked for may be too short for pictures
            plan = replace(plan, pictured=0)
        return read_whole(path, lambda: read_ranks(path, plan, path.stem))

    def _ranks_path(self, key: str, plan: RankPlan) -> Path | None:
        exact = self.ranks_file(key, plan)
        if exact.exists():
            return exact
        if plan.depth:  # what lists show of a sampled target depends on the other rules of the plan
            return None
        wanted = set(entries_of(plan))
        # Ranks are the same however deep the lists are that a file holds besides.
        same_fit = f"{exact.name.partition('-')[0]}-*{_counted(plan)}-*.parquet"
        for path in sorted(exact.parent.glob(same_fit)):
            if wanted <= entries_in(read_whole(path, partial(read_header, path, path.stem))):
                return path
        return None

    # Other tables

    def has_table(self, name: str) -> bool:
        """Whether a table is there; `name` is its path in the folder."""
        return (self.folder / name).exists()

    def save_table(self, name: str, frame: pl.DataFrame, key: str = "", *, header: dict[str, Any] | None = None) -> None:
        """Write a table, whole or not at all; its key is its name unless one is passed, `header` holds plain values."""
        self.begin()
        path = self.folder / name
        sealed_by = key or path.stem
        write_whole(
            path, lambda temporary: write_part(frame, temporary, sealed_by, header or {}), permitted=self._permit.used
        )
        self.note(path)

    def table_header(self, name: str) -> dict[str, Any]:
        """The header that a table was written with, and its key."""
        path = self.folder / name
        return read_whole(path, lambda: read_header(path, path.stem))

    def load_table(self, name: str, key: str = "") -> pl.DataFrame:
        """Read a table back."""
        path = self.folder / name

        def read() -> pl.DataFrame:
            read_header(path, key or path.stem)
            return pl.read_parquet(path)

        return read_whole(path, read)

    # The index

    def note(self, path: Path) -> None:
        """Note a part in the index."""
        self._indexed(lambda: self._index.note(path))

    def note_failure(self, failure: Failure) -> None:
        """Note a cell that failed."""
        self.begin()
        row = (failure.cell, failure.system, failure.fold, failure.reason, failure.details)
        self._indexed(lambda: self._index.fail(*row))

    def note_done(self, cell: str) -> None:
        """Forget that a cell failed earlier."""
        self._indexed(lambda: self._index.done(cell))

    # Texts

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Write what was run, from what, by what."""
        self.save_text(NAME, manifest_text(manifest))

    def save_text(self, name: str, text: str) -> None:
        """Write a text file of the folder, whole or not at all."""
        content = text.encode(errors="surrogatepass")
        write_whole(self.folder / name, lambda temporary: temporary.write_bytes(content), permitted=self._permit.used)

    def note_progress(self, state: dict[str, Any]) -> None:
        """Write how far the work is; the file goes when the work ends, and need not survive a power cut."""
        content = json.dumps(state, ensure_ascii=False).encode(errors="surrogatepass")
        try:
            write_file(
                self.work / PROGRESS,
                lambda temporary: temporary.write_bytes(content),
                make_folder=True,
                flush=False,
                permitted=self._permit.used,
            )
        except WriteError as error:
            raise untouched(error) from error.__cause__

    def _indexed(self, note: Callable[[], None]) -> None:
        try:
            with self._permit.used():
                note()
        except OSError as error:
            raise could_not_write(error, self._index.path) from None

    def _refuse_unwritable(self) -> None:
        nearest = next(p for p in (self.folder, *self.folder.absolute().parents) if p.exists())
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            why = "no permission" if nearest.is_dir() else f"{nearest} is a file"
            raise ResultsError(f"cannot write there ({why})", where=str(self.folder), hint="choose another --out")

    def _scores(self, key: str) -> Path:
        return self.folder / "scores" / f"{key[:32]}.parquet"

    def ranks_file(self, key: str, plan: RankPlan) -> Path:
        """Where the ranks of a fit by a plan are kept."""
        every = digest_of(*("|".join(entry) for entry in sorted(entries_of(plan))), *(str(r) for r in plan.relevances))
        return self.folder / "ranks" / f"{key[:32]}-{_mode(plan)}{every[:16]}.parquet"


def _identity(manifest: Mapping[str, Any]) -> str:
    """What tells results from others: their kind, study and parts."""
    return json.dumps([manifest.get(entry) for entry in ("kind", "study", "parts")], sort_keys=True)


def _mode(plan: RankPlan) -> str:
    """What all entries of a plan depend on besides the fit: list depths, and whether all ties are counted."""
    pictured = f"p{plan.pictured}" if plan.pictured > plan.depth else ""
    return f"{plan.depth}{pictured}{_counted(plan)}-"


def _counted(plan: RankPlan) -> str:
    """Whether ties are counted for every user."""
    return "t" if plan.count_ties else "f"


LONGEST_LOOK = 1.0
"""Seconds for which an index is looked through."""


@dataclass(frozen=True, kw_only=True)
class WorkSeen:
    """The work on a folder as it was a moment ago."""

    writer: dict[str, Any]
    """The process that works: `pid`, `host`, `since`; empty where none does."""
    progress: dict[str, Any] = field(default_factory=dict)
    """What `Ledger.note_progress` wrote last; empty where nothing is known."""
    failures: tuple[tuple[str, str], ...] = ()
    """Cells that failed until now, and why."""
    kept: int = 0
    cells: int = 0
    """How many cells (systems on folds; of a multiverse, data sets and splits) are announced, and how many are kept."""


def work_seen(folder: Path) -> WorkSeen:
    """What can be seen of the work on a folder; it may end, or its files may go, while it is looked at."""
    writer = writer_of(folder)
    keys = _announced(folder)
    kept = sum((folder / place / f"{key[:32]}.parquet").exists() for key in keys for place in ("scores", "universes"))
    progress = believable(read_note(folder / WORK / PROGRESS)) if writer else {}
    return WorkSeen(writer=writer, progress=progress, failures=noted_failures(folder, writer), kept=kept, cells=len(keys))


def _announced(folder: Path) -> list[str]:
    """The keys of the parts that the manifest lists."""
    try:
        return [str(key) for key in (read_manifest(folder).get("parts") or {}).values()]
    except ResultsError:
        return []  # nothing is announced yet, or what is wrong is told where the results are read


def noted_failures(folder: Path, writer: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Cells that the index says failed, and why; none where there is no index that can be read.

    Without a writer, the index is opened as a file that nobody changes: SQLite would otherwise make files beside it.
    """
    path = folder / INDEX
    if not path.is_file():
        return ()
    try:
        options = "mode=ro" if writer else "mode=ro&immutable=1"
        with closing(sqlite3.connect(f"file:{quote(str(path))}?{options}", uri=True, timeout=1)) as connection:
            until = monotonic() + LONGEST_LOOK
            connection.set_progress_handler(lambda: monotonic() > until, 10_000)  # a view of anybody's may never end
            return tuple((str(c), str(r)) for c, r in connection.execute("SELECT cell, reason FROM failures ORDER BY cell"))
    except sqlite3.Error:
        return ()  # it is damaged, or being made: the next run makes it anew from the files
