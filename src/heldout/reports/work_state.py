"""How far the work of a verb is, as every bar shows it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from heldout.kernels.compile_time import COMPILING, CompileTime
from heldout.words import percent, seconds

Tell = Callable[[str, int, int], None]
"""Takes the stage, how much of the whole work is done, and of how much; (stage, 0, 0) names a stage alone."""
PATIENCE = 1.0
"""Seconds before a bar is shown: quick work shows none."""
LEAST_SHARE = 0.02
"""The share of the work that must be done before the rest is estimated from it."""
LEAST_SECONDS = 3.0
"""Seconds of work that such an estimate needs: the first steps are the quickest systems."""


FIRST_RUN = "compiling for the first run"
"""What is said while kernels are compiled, which a machine does once."""


def seconds_left(done: float, total: float, elapsed: float) -> int | None:
    """What the rest of the work will take if it goes on as until now; None where too little is done to say."""
    if total <= 0 or done >= total or done < LEAST_SHARE * total or elapsed < LEAST_SECONDS:
        return None
    return max(1, round(elapsed * (total - done) / done))


def time_left(done: float, total: float, elapsed: float) -> str:
    """`seconds_left` in words; empty where too little is done to say."""
    left = seconds_left(done, total, elapsed)
    return "" if left is None else f"about {_whole(left)} left"


def _whole(spent: float) -> str:
    """Whole seconds in words."""
    return seconds(round(spent)).replace(".00", "").replace(".0", "")


class WorkState:
    """The stage that is worked on, and how much of the whole is done; it never goes back.

    Kernels are compiled when a machine first uses them. That does not come again, so what is left is estimated without it.
    """

    def __init__(self, now: Callable[[], float] = monotonic, compiling: CompileTime = COMPILING) -> None:
        self.stage, self.done, self.total = "", 0, 0
        self._now, self._compiling, self._begun = now, compiling, now()
        self._first, self._since = 0, self._working()

    def tell(self, stage: str, done: int, total: int) -> None:
        """Take note of progress; with a total of 0, of the stage alone."""
        self.stage = stage
        if total == 0:  # what was done before stays done
            return
        if total != self.total:
            self.done, self.total, self._first, self._since = done, total, done, self._working()
        self.done = max(self.done, done)

    def record(self) -> dict[str, Any]:
        """How far the work is, as plain values for another process to read."""
        return {
            "stage": self.stage,
            "done": self.done,
            "total": self.total,
            "estimate": self.estimate,
            "seconds_left": seconds_left(*self._since_known()),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    @property
    def estimate(self) -> str:
        """The share that is done, the time that the work has taken, and the time that is left, as far as each is known."""
        spent = self._now() - self._begun
        words = [
            percent(self.done / self.total, 0) if self.total else "",
            f"{_whole(spent)} so far" if spent >= LEAST_SECONDS else "",
            time_left(*self._since_known()),
            FIRST_RUN if self._compiling.running else "",
        ]
        return ", ".join(filter(None, words))

    def _working(self) -> float:
        """The clock, which stands still while kernels are compiled."""
        return self._now() - self._compiling.seconds

    def _since_known(self) -> tuple[int, int, float]:
        """Done, to do, and the seconds since the whole was known, without those of compilation."""
        return self.done - self._first, self.total - self._first, self._working() - self._since
