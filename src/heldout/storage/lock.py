"""One writer at a time: a results folder is locked while a run writes to it.

The operating system holds the lock for the process, so a run that is killed leaves none behind. Who holds it stands in the
file, to be told to a second run. Between the threads of a process, the lock belongs to the one that took it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

from filelock import lock_descriptor

from heldout.errors import ResultsError
from heldout.storage.files import is_there
from heldout.storage.results_files import could_not_write
from heldout.threads import AbandonedError

NAME = ".lock"
MOST_PID = 2**31 - 1
"""The largest number of a process."""
MOST_NOTED = 1 << 20
"""Bytes of a note of a running process that are read: a longer one is not ours."""
Owner = tuple[int, int]
_owners: dict[Path, Owner] = {}
"""Folders that this process has locked: which process (one that was forked has none of them) and thread took each."""
_guard = Lock()


class Permit:
    """The permission to write to a folder, which ends when its lock is released.

    Ctrl-C in a notebook leaves threads behind that cannot be stopped: what they come to afterwards is not written.
    Processes that write on behalf of the one that has the lock, and so never take it, always may.
    """

    def __init__(self) -> None:
        self._guard, self._holders, self._ended = Lock(), 0, False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Permit writing until the last of these blocks is left."""
        with self.used():
            self._holders += 1
        try:
            yield
        finally:
            with self._guard:
                self._holders -= 1
                self._ended = self._holders == 0

    @contextmanager
    def used(self) -> Iterator[None]:
        """Write in this block; it cannot end in the middle. AbandonedError if writing is no longer permitted."""
        with self._guard:
            if self._ended:
                raise AbandonedError("the lock of the results folder was released")
            yield


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Hold the folder's lock; ResultsError if another process or thread has it. False if this thread had it already.

    The folder is made, and left only if something came of it.
    """
    place, owner = folder.resolve(), (os.getpid(), get_ident())
    with _guard:
        holder = _owners.get(place)
        if holder == owner:
            handle = None
        elif holder is not None and holder[0] == owner[0]:
            raise _in_use(folder, "another thread of this process")
        else:
            created = _make(folder)
            handle = _taken(folder)
            _owners[place] = owner
    if handle is None:
        yield False
        return
    try:
        yield True
    finally:
        with _guard:
            del _owners[place]
            _left(folder, created)
            os.close(handle)


def _in_use(folder: Path, holder: str) -> ResultsError:
    return ResultsError(
        f"another run is writing to this folder ({holder})",
        where=str(folder),
        hint="wait until it ends, stop it, or choose another --out",
    )


def _make(folder: Path) -> list[Path]:
    """Make the folder and give those that were missing, the innermost first."""
    missing = [p for p in (folder, *folder.parents) if not p.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise could_not_write(error, folder) from None
    return missing


def _left(folder: Path, created: list[Path]) -> None:
    """Remove the lock's file, and the folder if nothing came of it."""
    with contextlib.suppress(OSError):  # a folder that holds something stays
        (folder / NAME).unlink()
        for parent in created:
            parent.rmdir()


def _taken(folder: Path) -> int:
    path = folder / NAME
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise could_not_write(error, path) from None
        try:
            taken = lock_descriptor(handle, blocking=False)
        except OSError as error:
            os.close(handle)
            raise ResultsError(
                f"this disk cannot lock files ({error.strerror}), so a second run could not be kept out",
                where=str(folder),
                hint="choose --out on another disk",
            ) from None
        if not taken:
            os.close(handle)
            raise _in_use(folder, _holder(path))
        if is_there(handle, path):
            break
        os.close(handle)  # the former holder has just removed the file: take the new one
    about = {"pid": os.getpid(), "host": socket.gethostname(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
    with contextlib.suppress(OSError):  # on a full disk the lock holds all the same
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(about).encode(), 0)
    return handle


def _holder(path: Path) -> str:
    about = _about(path)
    return f"process {about['pid']} on {about['host']}, since {about['since']}" if about else "it has not said who it is"


def _about(path: Path) -> dict[str, Any]:
    """What the holder of a lock says of itself; empty if it says nothing."""
    about = read_note(path)
    pid = about.get("pid")
    if not isinstance(pid, int) or not 0 < pid <= MOST_PID or not {"host", "since"} <= about.keys():
        return {}
    return {"pid": pid, "host": str(about["host"]), "since": str(about["since"])}


def read_note(path: Path) -> dict[str, Any]:
    """The small JSON object that a running process left for others; empty if there is none, or the file is anything else.

    The file may be anybody's: a pipe must not keep the reader waiting, nor a large or deeply nested file stop it.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
        try:
            about = os.fstat(handle)
            content = os.read(handle, MOST_NOTED) if stat.S_ISREG(about.st_mode) and about.st_size < MOST_NOTED else b""
        finally:
            os.close(handle)
        note = json.loads(content)
    except (OSError, ValueError, RecursionError):
        return {}
    return note if isinstance(note, dict) else {}


def writer_of(folder: Path) -> dict[str, Any]:
    """The process (`pid`, `host`, `since`) that writes to a folder; empty if none does.

    The lock is not tried, which could keep a run out that begins at this moment: a process of this machine is looked for
    by its number, except on Windows. A file that a killed run left behind names one that is gone.
    """
    about = _about(folder / NAME)
    if not about or os.name == "nt" or about["host"] != socket.gethostname():
        return about
    try:
        os.kill(about["pid"], 0)
    except ProcessLookupError:
        return {}
    except PermissionError:
        return about  # it is another user's
    return about
