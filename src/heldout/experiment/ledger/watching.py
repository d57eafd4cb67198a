"""What other processes can see of the work on a results folder: who does it, how far it is, and what failed."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import quote

from heldout.errors import ResultsError
from heldout.experiment.ledger.folder import PROGRESS, WORK
from heldout.experiment.ledger.index import NAME as INDEX
from heldout.experiment.ledger.manifest import read_manifest
from heldout.progress import believable
from heldout.storage.lock import read_note, writer_of

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
