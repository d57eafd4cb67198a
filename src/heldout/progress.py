"""How far the work of a verb is, and what the rest will take; `reports.render.progress` shows it.

`WorkBar` knows what the units of the work took, and tells a function of type `Progress`. `WorkState` is the record that such
a function keeps: bars show it, and results folders hold it for the page over them. `file_reading` says which file is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any

from heldout.errors import visible
from heldout.kernels.compile_time import COMPILING, CompileTime, working_time
from heldout.text.names import shorten
from heldout.text.numbers import percent, seconds, size

Progress = Callable[[str, int, int], None]
"""Takes the stage, how much of the whole work is done, and of how much; (stage, 0, 0) only names a stage."""
STEPS = 10_000
"""Steps of progress that the whole work of a verb counts."""
LEAST_SHARE = 0.02
"""The share of the work that must be done before the rest is estimated from it."""
LEAST_SECONDS = 3.0
"""Seconds of work that such an estimate needs: the first steps are the quickest systems."""
SMALL_FILE = 1_000_000
"""Bytes below which the size of a file that is read does not matter."""
NAME_WIDTH = 30
"""Characters of a file's name in a bar."""
FIRST_RUN = "compiling for the first run"
"""What is said while kernels are compiled, which a machine does once."""
MOST_COUNTED = 10**10
"""The largest count or number of seconds of a record that is believed: about 300 years."""


class WorkBar:
    """How much of the work of a verb is done, by what its units took: a slow system counts for more than a quick one.

    `ahead` counts the units of each kind, such as the folds of a system. Each is taken to last as long as others of its kind
    did. `weights` says how long units of kinds that were not measured yet last, compared with others; without, all are
    taken to be alike. The first unit of a kind also loads kernels and modules, which the others use: as soon as there is
    another one, it says nothing of those ahead.

    With `in_rounds` every kind comes again and again in the same order: until a round is done nothing is said of the share,
    since a slow unit at its beginning, or at its end, would mislead.
    """

    def __init__(
        self,
        progress: Progress | None,
        ahead: Mapping[str, int],
        *,
        weights: Mapping[str, float] | None = None,
        in_rounds: bool = False,
        now: Callable[[], float] = working_time,
    ) -> None:
        self._progress, self._stage, self._in_rounds = progress, "", in_rounds
        self._ahead = Counter(ahead)
        self._weights = dict(weights or {})
        self._seconds: dict[str, list[float]] = {}
        self._now, self._since, self._furthest = now, now(), 0.0

    def stage(self, stage: str) -> None:
        """Name what is worked on from now on; the first stage begins the work, whose rest is estimated from then on."""
        self._stage = stage
        self._tell(self.share())

    def part(self, kind: str, part: float, *, stage: str | None = None) -> None:
        """Tell that so much of a unit of this kind is done; `stage` renames what is worked on."""
        self._stage = self._stage if stage is None else stage
        self._tell(self.share(kind, part))

    def finish(self, kind: str, *, loaded: bool = False, seconds: float | None = None, stage: str | None = None) -> None:
        """Tell that a unit of this kind is done; it took the time since the last one unless `seconds` says otherwise.

        A unit that was loaded took no work, and says nothing of the others of its kind.
        """
        self._stage = self._stage if stage is None else stage
        self._ahead[kind] = max(0, self._ahead[kind] - 1)
        if not loaded:
            self._seconds.setdefault(kind, []).append(self._now() - self._since if seconds is None else seconds)
        self._since = self._now()
        self._tell(self.share())

    def end(self) -> None:
        """Tell that all is done, whatever was thought to be ahead."""
        self._tell(1.0)

    def share(self, kind: str = "", part: float = 0.0) -> float:
        """The share of the work that is done, with so much of a current unit; 1 if nothing is ahead.

        It never goes back, even if a unit turns out to be slower than was thought.
        """
        if self._in_rounds and any(count and name not in self._seconds for name, count in self._ahead.items()):
            return 0.0
        spent = sum(map(sum, self._seconds.values()))
        weighed = sum(self._weights.get(name, 1.0) * len(times) for name, times in self._seconds.items())
        scale = spent / weighed if spent > 0 else 1.0
        cost = {name: self._weights.get(name, 1.0) * scale for name in self._ahead}
        cost |= {name: _mean(times[1:] or times) for name, times in self._seconds.items()}
        whole = spent + sum(count * cost[name] for name, count in self._ahead.items())
        now = min(1.0, (spent + part * cost.get(kind, scale)) / whole) if whole > 0 else 1.0
        self._furthest = max(self._furthest, now)
        return self._furthest

    def _tell(self, share: float) -> None:
        if self._progress is not None:
            self._progress(self._stage, round(STEPS * share), STEPS)


def _mean(seconds: Sequence[float]) -> float:
    return sum(seconds) / len(seconds)


@dataclass(kw_only=True)
class FileReading:
    """A file that is being read. Most files are parsed as a whole, so that nothing says how far that is."""

    name: str
    size: int | None
    """Bytes of the file as it is stored; None of a pipe."""
    parsed: int = 0
    """Bytes of the file whose rows are parsed; 0 until there are some, and if it is parsed as a whole."""
    parsed_at: float = 0.0
    """When these were parsed, in seconds of `working_time`."""
    first_parsed: int = 0
    first_parsed_at: float = 0.0
    """The same of the first block, which also loads the parser: it says nothing of the others."""

    def advance(self, parsed: int, now: Callable[[], float] = working_time) -> None:
        """Note that the file is parsed so far."""
        self.parsed_at = now()
        if self.parsed == 0:
            self.first_parsed, self.first_parsed_at = parsed, self.parsed_at
        self.parsed = parsed
        _call_listeners()

    def words(self, now: float) -> str:
        """How far the reading is and what the rest takes, or the file's size if nothing says how far it is."""
        name = shorten(visible(self.name), NAME_WIDTH)
        if self.size is None or self.size < SMALL_FILE:
            return name
        if self.parsed == 0:
            return f"{name}, {size(self.size)}, no estimate yet"
        done, elapsed = self.parsed - self.first_parsed, self.parsed_at - self.first_parsed_at
        waiting = max(now - self.parsed_at, 0.0)
        left = seconds_left(done, self.size - self.first_parsed, elapsed, waiting=waiting, longest_wait=elapsed)
        more = "" if left is None else f", about {_whole(left)} more"
        return f"{percent(self.parsed / self.size, 0)} of {name} ({size(self.size)}){more}"


_UNDER_WAY: list[FileReading] = []
_LISTENERS: list[Callable[[], None]] = []


@contextmanager
def file_reading(path: str | Path) -> Iterator[FileReading]:
    """Say that a file is read and parsed meanwhile."""
    file = Path(path)
    reading = FileReading(name=file.name, size=file.stat().st_size if file.is_file() else None)
    _UNDER_WAY.append(reading)
    try:
        _call_listeners()
        yield reading
    finally:
        _UNDER_WAY.remove(reading)


def file_being_read() -> FileReading | None:
    """The file that is being read in this process; None if there is none. Of several, that which was begun first."""
    return next(iter(tuple(_UNDER_WAY)), None)


@contextmanager
def listening(listener: Callable[[], None]) -> Iterator[None]:
    """Call `listener` whenever a file begins to be read or is parsed further: a stage may be one file that takes minutes."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)


def _call_listeners() -> None:
    for listener in tuple(_LISTENERS):
        listener()


def before_compiling(announce: Callable[[], None]) -> None:
    """Call a function once, when this process begins to compile."""
    COMPILING.announce = announce


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
        """Take note of progress; with a total of 0, only of the stage."""
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
        """How far the work is, as plain values for another process to read by `believable`."""
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
        spent, left, reading = self._now() - self._begun, self.seconds_left, file_being_read()
        words = [
            percent(self.done / self.total, 0) if self.total else "",
            f"{_whole(spent)} so far" if spent >= LEAST_SECONDS else "",
            f"about {_whole(left)} left" if left is not None else "",
            reading.words(self._working()) if reading is not None else "",
            FIRST_RUN if self._compiling.running else "",
        ]
        return ", ".join(filter(None, words))

    @property
    def seconds_left(self) -> int | None:
        """What the rest of the work will take, by the time since the whole was known; None if it is too early to say."""
        return seconds_left(
            self.done - self._first,
            self.total - self._first,
            self._last_step - self._since,
            waiting=self._working() - self._last_step,
            longest_wait=self._longest_wait,
        )

    def _working(self) -> float:
        """The clock, which stands still while kernels are compiled."""
        return self._now() - self._compiling.seconds


def believable(record: Mapping[str, Any]) -> dict[str, Any]:
    """What another process wrote of its `WorkState`, without what cannot be true of one."""
    kinds = {"stage": str, "estimate": str, "at": str, "done": int, "total": int, "seconds_left": int, "stages": list}
    state = {name: value for name, value in record.items() if name in kinds and type(value) is kinds[name]}
    state = {name: value for name, value in state.items() if not isinstance(value, int) or 0 <= value <= MOST_COUNTED}
    if not {"done", "total"} <= state.keys():
        state = {name: value for name, value in state.items() if name not in ("done", "total")}
    return state


def seconds_left(
    done: float, total: float, elapsed: float, *, waiting: float = 0.0, longest_wait: float = 0.0
) -> int | None:
    """What the rest of the work will take if it goes on as until now; None if too little is done to say.

    `elapsed` seconds passed until the last step, and `waiting` seconds since. A step that takes no longer than the longest
    one before is taken to go on at the same pace; beyond that, nothing is taken to be done.

    Example: after 60 s half is done, so 60 s are left. 10 s later it is 50, or, if no step took more than 4 s before,
    60 - 4 + 6 = 62.
    """
    if total <= 0 or done >= total or done < LEAST_SHARE * total or elapsed + waiting < LEAST_SECONDS:
        return None
    rest = (total - done) / done
    at_pace = min(waiting, longest_wait)
    return max(1, round(elapsed * rest - at_pace + (waiting - at_pace) * rest))


def _whole(spent: float) -> str:
    """Whole seconds in words."""
    return seconds(round(spent)).replace(".00", "").replace(".0", "")
