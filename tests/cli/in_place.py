"""Which files of a folder are written in place, told by the kernel: whatever is killed at that moment leaves a part of them.

A file that is written as it should gets its name by a rename, when it is whole. Linux tells of every file that is made
or changed under its name (inotify), also by compiled code, so that no moment has to be hit. Linux only.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable
from pathlib import Path

from heldout.storage.files import is_unfinished

OWN = ("index.sqlite", "trials.journal", ".lock")
"""Files that SQLite, optuna and locks write by themselves."""
_MODIFY, _CREATE, _OVERFLOW, _IS_FOLDER = 0x2, 0x100, 0x4000, 0x40000000
_EVENT = struct.Struct("iIII")


class Watch:
    """Watches a folder and all folders that a forked process makes in it."""

    def __init__(self, folder: Path, notes: Path) -> None:
        self.notes = notes
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.handle = self.libc.inotify_init1(os.O_NONBLOCK)
        if self.handle < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        notes.write_text("")
        for path in (folder, *(p for p in folder.rglob("*") if p.is_dir())):
            self._add(path)

    def watching(self, work: Callable[[], None]) -> Callable[[], None]:
        """The work, for the forked process: a folder that it makes is watched before anything is in it."""

        def run() -> None:
            make = os.mkdir

            def make_and_watch(path: str | os.PathLike[str], *arguments: int, **options: int) -> None:
                make(path, *arguments, **options)
                self._add(Path(path))

            os.mkdir = make_and_watch  # type: ignore[assignment]
            work()

        return run

    def in_place(self) -> list[str]:
        """The files that were made or changed under their own names since the last time."""
        folders = dict(line.split(" ", 1) for line in self.notes.read_text().splitlines())
        names: dict[str, None] = {}
        try:
            while events := os.read(self.handle, 1 << 16):
                at = 0
                while at < len(events):
                    number, mask, _, length = _EVENT.unpack_from(events, at)
                    name = events[at + _EVENT.size : at + _EVENT.size + length].rstrip(b"\0").decode()
                    at += _EVENT.size + length
                    assert not mask & _OVERFLOW, "more happened than the kernel notes"
                    path = Path(folders.get(str(number), "")) / name
                    written = mask & (_CREATE | _MODIFY) and not mask & _IS_FOLDER
                    if written and not name.startswith(OWN) and not any(is_unfinished(Path(p)) for p in path.parts):
                        names[str(path)] = None
        except BlockingIOError:
            return list(names)
        return list(names)

    def close(self) -> None:
        os.close(self.handle)

    def _add(self, folder: Path) -> None:
        number = self.libc.inotify_add_watch(self.handle, os.fsencode(folder), _CREATE | _MODIFY)
        if number >= 0:  # less than 0: a folder elsewhere that is gone again
            with self.notes.open("a") as notes:
                notes.write(f"{number} {folder}\n")
