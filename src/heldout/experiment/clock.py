"""Seconds spent on each stage."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Clock:
    """Adds up the time of each stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    def time(self, stage: str, work: Callable[[], T]) -> T:
        """Do the work and add its time to the stage."""
        begun = time.perf_counter()
        try:
            return work()
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - begun

    def add(self, seconds: dict[str, float]) -> None:
        """Add what another clock measured."""
        for stage, spent in seconds.items():
            self.seconds[stage] = self.seconds.get(stage, 0.0) + spent

    def rounded(self) -> dict[str, float]:
        """Seconds of each stage to the millisecond."""
        return {stage: round(seconds, 3) for stage, seconds in self.seconds.items()}
