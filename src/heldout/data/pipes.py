"""Pipes, which can be read only once: what came through one is kept, so that it can be looked at before it is read."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from heldout.errors import InputError

_KEPT: dict[tuple[int, int], tuple[int, bytes]] = {}
"""Of every pipe (by device and number), when it was last written to and all that came."""


def piped(path: Path) -> bytes | None:
    """All bytes of a pipe, such as /dev/stdin; None where a path is that of a file.

    A pipe that someone writes to anew is read anew. Devices and sockets are refused: they have no end.
    """
    status = path.stat()
    if stat.S_ISREG(status.st_mode):
        return None
    is_pipe = stat.S_ISFIFO(status.st_mode)
    nothing = stat.S_ISCHR(status.st_mode) and status.st_rdev == Path(os.devnull).stat().st_rdev
    if not (is_pipe or nothing or (stat.S_ISCHR(status.st_mode) and _is_terminal(path))):
        raise InputError(file=path, expected="a file or a pipe")
    key = status.st_dev, status.st_ino
    written, kept = _KEPT.get(key, (None, b""))
    if written is not None and (not is_pipe or written == status.st_mtime_ns):
        data = _written_anew(path) if is_pipe else None
        if data is None:
            return kept
    else:
        data = path.read_bytes()
    _KEPT[key] = path.stat().st_mtime_ns, data
    return data


def _written_anew(path: Path) -> bytes | None:
    """All that comes of a pipe if someone holds it open for writing; None without a writer, since it is at its end."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with os.fdopen(handle, "rb", buffering=0) as stream:
        first = stream.read(1 << 16)  # nothing where there is no writer, and None where one has not written yet
        if first == b"":
            return None
        os.set_blocking(handle, True)
        return (first or b"") + stream.readall()


def _is_terminal(path: Path) -> bool:
    with path.open("rb", buffering=0) as device:
        return device.isatty()
