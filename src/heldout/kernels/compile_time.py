"""How long kernels were compiled in this process, so that costs can be told without it. Importing this loads no numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class CompileTime:
    """Seconds of compilation. A kernel that calls another compiles it on the way: that counts once."""

    timer: Any = None
    """numba's own timer, set where numba is loaded; None before."""

    @property
    def seconds(self) -> float:
        """So far; kernels that are loaded from the cache on disk are not compiled."""
        return float(self.timer.duration) if self.timer is not None and self.timer.done else 0.0

    @property
    def running(self) -> bool:
        """Whether a kernel is compiled at this moment."""
        return self.timer is not None and self.timer.depth > 0


COMPILING = CompileTime()
"""Of this process."""
