"""How much memory this process holds while something runs."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from types import TracebackType

_STATM = Path("/proc/self/statm")
EVERY = 0.02
"""Seconds between two looks at the memory in use."""


class PeakMemory:
    """The most memory that the process held within a `with` block, in bytes; None where the system does not tell.

    Where the block raised the peak of the whole process, that peak is exact. Else it is the most that was seen by looking
    every 20 ms, so that a peak of a few milliseconds may be missed. It counts all that the process holds: the interpreter,
    libraries and ratings too.
    """

    def __init__(self) -> None:
        self.bytes: int | None = None
        self._done = threading.Event()
        self._seen = 0
        self._before = 0
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> PeakMemory:
        self._before = highest()
        self._seen = in_use() or 0
        if self._seen:
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._done.set()
        if self._thread.ident is not None:
            self._thread.join()
        after = highest()
        self.bytes = (after if after > self._before else max(self._seen, in_use() or 0)) or None

    def _look(self) -> None:
        while not self._done.wait(EVERY):
            self._seen = max(self._seen, in_use() or 0)


def in_use() -> int | None:
    """Bytes that the process holds now; None where the system has no /proc."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except FileNotFoundError:
        return None


def highest() -> int:
    """The most bytes that the process has ever held; 0 where the system does not tell."""
    try:
        import resource
    except ModuleNotFoundError:  # on Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
