"""Seconds spent on each stage, and memory held meanwhile."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from heldout.kernels.compile_time import COMPILING

EVERY = 0.02
"""Seconds between two looks at the memory in use."""
_STATM = Path("/proc/self/statm")


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


T = TypeVar("T")


@dataclass
class Clock:
    """Adds up the time of each stage, and keeps the highest memory of work that was watched.

    Kernels are compiled when they are first used on a machine. That is no cost of the system that happens to come first: it
    counts under "compile", and under no other stage.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    memory: int | None = None
    """Bytes; None where nothing was watched, or the system does not tell."""

    def time(self, stage: str, work: Callable[[], T]) -> T:
        """Do the work and add its time to the stage."""
        begun, compiled = time.perf_counter(), COMPILING.seconds
        try:
            return work()
        finally:
            spent, compiling = time.perf_counter() - begun, COMPILING.seconds - compiled
            self._add(stage, max(spent - compiling, 0.0))
            if compiling:
                self._add("compile", compiling)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Keep the most memory that the process holds meanwhile."""
        with PeakMemory() as peak:
            yield
        self._held(peak.bytes)

    def add(self, other: Clock) -> None:
        """Add what another clock measured."""
        for stage, spent in other.seconds.items():
            self._add(stage, spent)
        self._held(other.memory)

    def _add(self, stage: str, spent: float) -> None:
        self.seconds[stage] = self.seconds.get(stage, 0.0) + spent

    def _held(self, memory: int | None) -> None:
        if memory is not None:
            self.memory = max(memory, self.memory or 0)

    def rounded(self) -> dict[str, float]:
        """Seconds of each stage to the millisecond."""
        return {stage: round(seconds, 3) for stage, seconds in self.seconds.items()}
