"""Seconds spent on each stage, and memory held meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from heldout.experiment.memory import PeakMemory
from heldout.kernels.compile_time import COMPILING

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
