"""How much of a study's work is done, by what its systems took: a slow system counts for more than a quick one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import monotonic


class WorkShare:
    """Seconds spent on cells, and those that the cells ahead will take if each system goes on as before.

    Cells of a system that was not measured yet are taken for average ones. Cells that were loaded took no work.
    """

    def __init__(self, systems: list[str], folds: int, now: Callable[[], float] = monotonic) -> None:
        self._ahead = Counter(dict.fromkeys(systems, folds))
        self._seconds: dict[str, list[float]] = {}
        self._now, self._since, self._furthest = now, now(), 0.0

    def begin(self) -> None:
        """Start the clock of a cell."""
        self._since = self._now()

    def finish(self, system: str, *, loaded: bool) -> None:
        """Note that a cell of this system is done."""
        self._ahead[system] = max(0, self._ahead[system] - 1)
        if not loaded:
            self._seconds.setdefault(system, []).append(self._now() - self._since)

    def share(self, system: str = "", part: float = 0.0) -> float:
        """The share of the work that is done, with so much of the current cell; 1 where nothing is ahead.

        It never goes back, even where a system turns out to be slower than was thought.
        """
        spent = sum(map(sum, self._seconds.values()))
        measured = sum(map(len, self._seconds.values()))
        usual = spent / measured if measured else 1.0
        cost = {name: sum(times) / len(times) for name, times in self._seconds.items()}
        ahead = sum(count * cost.get(name, usual) for name, count in self._ahead.items())
        current = part * cost.get(system, usual)
        whole = spent + ahead
        now = min(1.0, (spent + current) / whole) if whole > 0 else 1.0
        self._furthest = max(self._furthest, now)
        return self._furthest
