"""A results folder as a zip that is made while it is sent, so that no size is too large."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from io import RawIOBase
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from heldout.storage.files import is_unfinished
from heldout.web.summaries import entries_below

PIECE = 1 << 20
"""Bytes that are read at once."""
LACKING = "NOT-IN-THIS-ARCHIVE.txt"
"""The file that lists what could not be read."""


class _Sink(RawIOBase):
    """What the zip is written to: bytes that wait until they are sent."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        """The bytes since the last call."""
        waiting, self._waiting = self._waiting, []
        return b"".join(waiting)


def _without_links(path: str, flags: int) -> int:
    """Open a file unless it has just become a link; a pipe in its place keeps nobody waiting."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def zipped(folder: Path) -> Iterator[bytes]:
    """The zip of a folder's files, piece by piece; links, locks and what is being written are left out.

    A file that goes away meanwhile is named in a file of the zip.
    """
    sink, lacking = _Sink(), list[str]()
    with ZipFile(sink, "w") as archive:

        def unlisted(place: Path, error: OSError) -> None:
            lacking.append(f"{place.relative_to(folder).as_posix()}: {error.strerror}")

        for path in sorted(Path(entry.path) for entry in entries_below(folder, unlisted)):
            within = path.relative_to(folder)
            if any(part.startswith(".") for part in within.parts) or is_unfinished(path):
                continue
            try:
                if not stat.S_ISREG(path.lstat().st_mode):
                    continue
                source = open(path, "rb", opener=_without_links)  # noqa: SIM115
            except OSError as error:
                lacking.append(f"{within.as_posix()}: {error.strerror}")
                continue
            with source:
                entry = ZipInfo(f"{folder.name}/{within.as_posix()}")
                entry.compress_type = ZIP_STORED if path.suffix == ".parquet" else ZIP_DEFLATED
                with archive.open(entry, "w", force_zip64=True) as target:
                    while piece := source.read(PIECE):
                        target.write(piece)
                        yield sink.taken()
        if lacking:
            archive.writestr(f"{folder.name}/{LACKING}", "\n".join(lacking) + "\n")
    yield sink.taken()
