"""How long kernels were compiled in this process, so that costs can be told without it. Importing this loads no numba."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any


@dataclass
class CompileTime:
    """Seconds of compilation. A kernel that calls another compiles it on the way: that counts once."""

    timer: Any = None
    """Listens to numba; set where numba is loaded, None before."""

    announce: Callable[[], None] | None = None
    """Called once, when the first compilation begins."""

    @property
    def seconds(self) -> float:
        """So far, with those of a kernel that is being compiled; kernels from the cache on disk are not compiled."""
        return float(self.timer.seconds) if self.timer is not None else 0.0

    @property
    def running(self) -> bool:
        """Whether a kernel is compiled at this moment."""
        return self.timer is not None and self.timer.depth > 0


COMPILING = CompileTime()
"""Of this process."""


def working_time() -> float:
    """A monotonic clock, in seconds, that stands still while kernels are compiled."""
    return monotonic() - COMPILING.seconds
