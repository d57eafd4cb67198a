"""The folder that is served: the results in it, found again at each request, and where a name of theirs leads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from time import monotonic

from heldout.errors import HeldoutError, InputError, brief
from heldout.web.summaries import (
    FolderContents,
    StudyFolder,
    entries_below,
    is_study_folder,
    study_folders,
    study_summary,
)

PATIENCE = 0.4
"""Seconds for which a request reads summaries that it does not know yet."""
DEEPEST_INSIDE = 50
"""Folders within folders of results that are looked through; Heldout itself makes three."""
LONGEST_NAME, LONGEST_PATH = 255, 2048
"""Bytes of the name of a file, and of its path in the folder: none is longer than the first, and links need some room."""
SHOWN = 50
"""Rows of a page of the list."""


class NotThereError(HeldoutError):
    """There is nothing of this name in the folder that is served."""


@dataclass(frozen=True, kw_only=True)
class StudyRow:
    """One study of the list."""

    name: str
    """Its path in the folder, with slashes; a dot for the folder itself."""
    changed: float
    summary: FolderContents

    def has(self, words: list[str]) -> bool:
        """Whether each of some words stands in it."""
        about = self.summary
        text = "\n".join([self.name, about.title, about.verdict, about.problem, about.kind, *about.systems, *about.data])
        return all(word in text.casefold() for word in words)


@dataclass(frozen=True, kw_only=True)
class StudyQuery:
    """Which rows are wanted, and in which order."""

    words: str = ""
    kind: str = ""
    state: str = ""
    sort: str = "changed"
    backwards: bool = False
    page: int = 1


@dataclass(frozen=True, kw_only=True)
class StudyList:
    """A page of rows."""

    rows: list[StudyRow]
    total: int
    """Rows that the query has, on all pages."""
    studies: int
    """All studies of the folder."""
    unread: int
    """Studies that are still to be read before the answer is whole."""
    whole: bool
    """Whether every folder was looked into."""


SORTED_BY: dict[str, Callable[[StudyRow], tuple[object, ...]]] = {
    "changed": lambda row: (-row.changed, row.name),
    "title": lambda row: (row.summary.title.casefold(), row.name),
    "kind": lambda row: (row.summary.kind, -row.changed),
    "state": lambda row: (row.summary.state, -row.changed),
}
"""Columns that rows can be sorted by, and what decides."""


class ServedFolder:
    """The results in a folder that is served."""

    def __init__(self, folder: str | Path) -> None:
        if not isinstance(folder, str | Path) or not str(folder):
            raise InputError(found=folder, expected="the path of a folder of results", hint='such as ho.serve("results")')
        self.home = Path(folder).expanduser().resolve()
        if not self.home.is_dir():
            raise InputError("no such folder", file=folder, hint="name a folder of results, or make it")
        self._summaries: dict[Path, tuple[StudyFolder, FolderContents]] = {}

    def place(self, name: str) -> Path:
        """The results folder of a name; NotThereError if it leads elsewhere, by itself or by a link, or to nothing."""
        path = self.inside(name)
        try:
            there = is_study_folder(path) and not self._unfit(path)
        except (OSError, ValueError):
            there = False
        if not there:
            raise NotThereError("there are no results of this name", where=name)
        return path

    def inside(self, name: str) -> Path:
        """The path of a name, which has no link in it; NotThereError if it leads out of the folder."""
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
            raise NotThereError("this name leads out of the folder", where=name)
        longest = max((len(os.fsencode(part)) for part in path.parts), default=0)
        if longest > LONGEST_NAME or len(os.fsencode(name)) > LONGEST_PATH:
            raise NotThereError("no file has so long a name", where=brief(name))
        try:
            real = (self.home / path).resolve()
        except (OSError, RuntimeError):
            raise NotThereError("this name cannot be followed", where=name) from None
        if real != self.home / path:
            raise NotThereError("this name leads out of the folder", where=name)
        return real

    def name(self, path: Path) -> str:
        """The name of a results folder."""
        return path.relative_to(self.home).as_posix()

    def listing(self, query: StudyQuery) -> StudyList:
        """The rows that a query asks for. What is not read in time is counted, and read by the next requests."""
        search = study_folders(self.home)
        folders = sorted(search.folders, key=lambda folder: -folder.changed)
        there = {folder.path for folder in folders}
        for path in [path for path in list(self._summaries) if path not in there]:
            self._summaries.pop(path, None)
        first = (query.page - 1) * SHOWN
        plain = query.sort == "changed" and not query.backwards and not (query.words or query.kind or query.state)
        wanted = folders[first : first + SHOWN] if plain else folders
        rows = list(self._rows(wanted))
        unread = len(wanted) - len(rows)
        if plain:
            return StudyList(rows=rows, total=len(folders), studies=len(folders), unread=unread, whole=search.whole)
        words = query.words.casefold().split()
        rows = [
            row
            for row in rows
            if query.kind in ("", row.summary.kind) and query.state in ("", row.summary.state) and row.has(words)
        ]
        rows.sort(key=SORTED_BY.get(query.sort, SORTED_BY["changed"]), reverse=query.backwards)
        return StudyList(
            rows=rows[first : first + SHOWN],
            total=len(rows),
            studies=len(folders),
            unread=unread,
            whole=search.whole,
        )

    def _rows(self, folders: list[StudyFolder]) -> Iterator[StudyRow]:
        """Rows of folders; of those that are not known yet, as many as can be read in time, but at least one."""
        until = monotonic() + PATIENCE
        for folder in folders:
            summary = self._cached(folder)
            if summary is None:
                if monotonic() > until:
                    continue
                summary = self.summary(folder.path)
                if summary.state != "running":  # that ends without a file being changed where a run is killed
                    self._summaries[folder.path] = folder, summary
            yield StudyRow(name=self.name(folder.path), changed=folder.changed, summary=summary)

    def _cached(self, folder: StudyFolder) -> FolderContents | None:
        earlier = self._summaries.get(folder.path)
        return earlier[1] if earlier is not None and earlier[0].stamp == folder.stamp else None

    def summary(self, path: Path) -> FolderContents:
        """What a results folder is; if something is wrong with it, its `problem` says so."""
        try:
            problem = self._unfit(path)
        except OSError as error:
            problem = f"The folder cannot be read ({error.strerror})."
        if not problem:
            try:
                return study_summary(path)
            except Exception as error:  # anybody's folder may be here: whatever is wrong with one must not hide the others
                problem = f"The folder cannot be read ({type(error).__name__}: {brief(str(error))})."
        return FolderContents(kind="unknown", title=path.name, state="damaged", problem=problem)

    def _unfit(self, path: Path) -> str:
        """Why nothing of a results folder is read: a link leads out of the served one, or a pipe would keep us waiting.

        Empty if it is fit to be read.
        """
        if not _is_text(self.name(path)):
            return "The name of this folder is no UTF-8 text: rename it to open it here."
        for entry in entries_below(path):
            if entry.is_symlink():
                if not Path(entry.path).resolve().is_relative_to(self.home):
                    return f"A link in it leads out of the folder that is served: {entry.name}."
            elif not (entry.is_file() or entry.is_dir()):
                return f"It holds something that is neither a file nor a folder: {entry.name}."
            elif entry.path.count(os.sep, len(str(path))) > DEEPEST_INSIDE:
                return f"It holds folders within folders, more than {DEEPEST_INSIDE} deep."
        return ""


def _is_text(name: str) -> bool:
    """Whether a name is Unicode: bytes that are not stand in it as lone surrogates, which no page can hold."""
    return name.isascii() or not any("\ud800" <= character <= "\udfff" for character in name)
