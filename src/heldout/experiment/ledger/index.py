"""The index of a results folder: what each file is, in SQLite. The files are the truth; the index is made anew from them."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

NAME = "index.sqlite"
_TABLES = """
CREATE TABLE IF NOT EXISTS parts (
    file TEXT PRIMARY KEY, kind TEXT, digest TEXT, system TEXT, fold INTEGER, version TEXT, bytes INTEGER, sha256 TEXT,
    at TEXT
);
CREATE TABLE IF NOT EXISTS failures (cell TEXT PRIMARY KEY, system TEXT, fold INTEGER, reason TEXT, details TEXT, at TEXT);
"""


class Index:
    """The index of one folder; one that is missing or damaged is made from the files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / NAME

    def note(self, path: Path) -> None:
        """Note a file that was written, or found."""
        row = _row(self.folder, path)
        self._mended(lambda: self._write(f"INSERT OR REPLACE INTO parts VALUES ({', '.join('?' * len(row))})", [row]))

    def fail(self, cell: str, system: str, fold: int, reason: str, details: str) -> None:
        """Note a cell that failed."""
        row = (cell, system, fold, reason, details, _now())
        self._mended(lambda: self._write("INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?)", [row]))

    def done(self, cell: str) -> None:
        """Forget that a cell failed: it did not this time."""
        self._mended(lambda: self._write("DELETE FROM failures WHERE cell = ?", [(cell,)]))

    def refresh(self) -> None:
        """Note files that are there and not noted, and forget those that are gone."""
        there = {_name(self.folder, p): p for p in _files(self.folder)}
        noted = self._mended(lambda: {row[0]: row[6] for row in self.parts()})
        for name, path in there.items():
            if noted.get(name) != path.stat().st_size:
                self.note(path)
        self._mended(lambda: self._write("DELETE FROM parts WHERE file = ?", [(n,) for n in noted if n not in there]))

    def parts(self) -> list[tuple[Any, ...]]:
        """All rows of parts, by file."""
        with self._open() as connection:
            return list(connection.execute("SELECT * FROM parts ORDER BY file"))

    def failures(self) -> list[tuple[Any, ...]]:
        """All cells that failed."""
        with self._open() as connection:
            return list(connection.execute("SELECT * FROM failures ORDER BY cell"))

    def _write(self, statement: str, rows: list[tuple[Any, ...]]) -> None:
        with self._open() as connection:
            connection.executemany(statement, rows)

    def _mended(self, work: Callable[[], Any]) -> Any:
        """Do the work; where the index is damaged, put it away, make it anew and do it again."""
        try:
            return work()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):  # a full disk, say: nothing that making it anew would mend
                full = "full" in str(error)
                raise OSError(errno.ENOSPC if full else errno.EIO, f"{NAME}: {error}") from error
            for name in (NAME, f"{NAME}-wal", f"{NAME}-shm"):
                with contextlib.suppress(FileNotFoundError):
                    (self.folder / name).unlink()
            rows = [_row(self.folder, path) for path in _files(self.folder)]
            self._write("INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            return work()

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=30)) as connection, connection:
            connection.execute("PRAGMA journal_mode = WAL")
            # A power cut may damage it; it is then made anew from the files. Waiting for the disk took longer than writing.
            connection.execute("PRAGMA synchronous = OFF")
            connection.executescript(_TABLES)
            yield connection


def _files(folder: Path) -> list[Path]:
    return sorted([*folder.glob("*.parquet"), *folder.glob("*/*.parquet")])


def _name(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def _row(folder: Path, path: Path) -> tuple[Any, ...]:
    content = path.read_bytes()
    about: dict[str, Any] = {}
    damaged = (pl.exceptions.PolarsError, pl.exceptions.PanicException, KeyError, ValueError)
    with contextlib.suppress(*damaged):  # which is told of when the file is read
        about = json.loads(pl.read_parquet_metadata(content)["heldout"]).get("about", {})
    digest = path.name.partition(".")[0].partition("-")[0]
    kind = path.parent.name if path.parent != folder else path.stem
    at = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
    return (
        _name(folder, path), kind, digest, about.get("system"), about.get("fold"), about.get("heldout"), len(content),
        hashlib.sha256(content).hexdigest(), at,
    )  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
