"""How far the work of a verb is, as every bar shows it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic
from typing import Any

from heldout.data.file_reading import FileReading, file_being_read
from heldout.errors import visible
from heldout.kernels.compile_time import COMPILING, CompileTime
from heldout.words import percent, seconds, shorten, size

Tell = Callable[[str, int, int], None]
"""Takes the stage, how much of the whole work is done, and of how much; (stage, 0, 0) names a stage alone."""
PATIENCE = 1.0
"""Seconds before a bar is shown: quick work shows none."""
LEAST_SHARE = 0.02
"""The share of the work that must be done before the rest is estimated from it."""
SMALL_FILE = 1_000_000
"""Bytes below which the size of a file that is read does not matter."""
LEAST_SECONDS = 3.0
"""Seconds of work that such an estimate needs: the first steps are the quickest systems."""


FIRST_RUN = "compiling for the first run"
"""What is said while kernels are compiled, which a machine does once."""


def seconds_left(
    done: float, total: float, elapsed: float, *, waiting: float = 0.0, longest_wait: float = 0.0
) -> int | None:
    """What the rest of the work will take if it goes on as until now; None where too little is done to say.

    `elapsed` seconds passed until the last step, and `waiting` seconds since. A step that takes no longer than the longest
    one before is taken to go on at the same pace; beyond that, nothing is taken to be done.

    Example: after 60 s half is done, so 60 s are left. 10 s later it is 50, or, where no step took more than 4 s before,
    60 - 4 + 6 = 62.
    """
    if total <= 0 or done >= total or done < LEAST_SHARE * total or elapsed + waiting < LEAST_SECONDS:
        return None
    rest = (total - done) / done
    at_pace = min(waiting, longest_wait)
    return max(1, round(elapsed * rest - at_pace + (waiting - at_pace) * rest))


def time_left(left: int | None) -> str:
    """`seconds_left` in words; empty where too little is done to say."""
    return "" if left is None else f"about {_whole(left)} left"


def _whole(spent: float) -> str:
    """Whole seconds in words."""
    return seconds(round(spent)).replace(".00", "").replace(".0", "")


NAME_WIDTH = 30
"""Characters of a file's name in a bar."""


def file_words(reading: FileReading, now: float) -> str:
    """How far the reading of a file is and what the rest takes, or its size where nothing says how far it is.

    They stand beside the stage, which says that it is read.
    """
    name = shorten(visible(reading.name), NAME_WIDTH)
    if reading.size is None or reading.size < SMALL_FILE:
        return name
    if reading.parsed == 0:
        return f"{name}, {size(reading.size)}, no estimate yet"
    first, elapsed = reading.first_parsed, reading.parsed_at - reading.first_parsed_at
    waiting = max(now - reading.parsed_at, 0.0)
    left = seconds_left(reading.parsed - first, reading.size - first, elapsed, waiting=waiting, longest_wait=elapsed)
    more = "" if left is None else f", about {_whole(left)} more"
    return f"{percent(reading.parsed / reading.size, 0)} of {name} ({size(reading.size)}){more}"


class WorkState:
    """The stage that is worked on, and how much of the whole is done; it never goes back.

    Kernels are compiled when a machine first uses them. That does not come again, so what is left is estimated without it.
    """

    def __init__(self, now: Callable[[], float] = monotonic, compiling: CompileTime = COMPILING) -> None:
        self.stage, self.done, self.total = "", 0, 0
        self._now, self._compiling, self._begun = now, compiling, now()
        self._since = self._last_step = self._working()
        self._first, self._longest_wait = 0, 0.0

    def tell(self, stage: str, done: int, total: int) -> None:
        """Take note of progress; with a total of 0, of the stage alone."""
        self.stage = stage
        if total == 0:  # what was done before stays done
            return
        now = self._working()
        if total != self.total:
            self.done, self.total, self._first = done, total, done
            self._since = self._last_step = now
            self._longest_wait = 0.0
        if done > self.done:
            self._longest_wait = max(self._longest_wait, now - self._last_step)
            self.done, self._last_step = done, now

    def record(self) -> dict[str, Any]:
        """How far the work is, as plain values for another process to read."""
        return {
            "stage": self.stage,
            "done": self.done,
            "total": self.total,
            "estimate": self.estimate,
            "seconds_left": self.seconds_left,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }

    @property
    def estimate(self) -> str:
        """The share that is done, the time that the work has taken, and the time that is left, as far as each is known.

        While a file is read nobody knows what the work on its ratings will take: it says how far the file is read.
        """
        spent = self._now() - self._begun
        words = [
            percent(self.done / self.total, 0) if self.total else "",
            f"{_whole(spent)} so far" if spent >= LEAST_SECONDS else "",
            time_left(self.seconds_left),
            file_words(reading, self._working()) if (reading := file_being_read()) is not None else "",
            FIRST_RUN if self._compiling.running else "",
        ]
        return ", ".join(filter(None, words))

    def _working(self) -> float:
        """The clock, which stands still while kernels are compiled."""
        return self._now() - self._compiling.seconds

    @property
    def seconds_left(self) -> int | None:
        """What the rest of the work will take, by the time since the whole was known; None where it is too early to say."""
        return seconds_left(
            self.done - self._first,
            self.total - self._first,
            self._last_step - self._since,
            waiting=self._working() - self._last_step,
            longest_wait=self._longest_wait,
        )
