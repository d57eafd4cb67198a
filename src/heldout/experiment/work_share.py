"""How much of the work of a verb is done, by what its units took: a slow system counts for more than a quick one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from heldout.kernels.compile_time import working_time

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of the whole work is done, and how much there is (0: only the stage is new)."""
STEPS = 10_000
"""Steps of progress that the whole work of a verb counts."""


class WorkShare:
    """Seconds spent on units of work, and those that the units ahead will take if each kind goes on as before.

    `ahead` counts the units of each kind, such as the folds of a system. `weights` says what a unit of a kind that was not
    measured yet is thought to take, by those that were; without, all are thought alike. The first unit of a kind also loads
    kernels and modules, which the others use: as soon as there is another one, it says nothing of those ahead.
    """

    def __init__(
        self,
        ahead: Mapping[str, int],
        *,
        weights: Mapping[str, float] | None = None,
        now: Callable[[], float] = working_time,
    ) -> None:
        self._ahead = Counter(ahead)
        self._weights = dict(weights or {})
        self._seconds: dict[str, list[float]] = {}
        self._now, self._since, self._furthest = now, now(), 0.0

    def finish(self, kind: str, *, loaded: bool = False, seconds: float | None = None) -> None:
        """Note that a unit of this kind is done; it took the time since the last one unless `seconds` says otherwise.

        A unit that was loaded took no work, and says nothing of the others of its kind.
        """
        self._ahead[kind] = max(0, self._ahead[kind] - 1)
        if not loaded:
            self._seconds.setdefault(kind, []).append(self._now() - self._since if seconds is None else seconds)
        self._since = self._now()

    @property
    def guessed(self) -> bool:
        """Whether there are units ahead of a kind that was not measured yet."""
        return any(count and kind not in self._seconds for kind, count in self._ahead.items())

    def share(self, kind: str = "", part: float = 0.0) -> float:
        """The share of the work that is done, with so much of a current unit; 1 where nothing is ahead.

        It never goes back, even where a unit turns out to be slower than was thought.
        """
        spent = sum(map(sum, self._seconds.values()))
        weighed = sum(self._weights.get(name, 1.0) * len(times) for name, times in self._seconds.items())
        scale = spent / weighed if spent > 0 else 1.0
        cost = {name: self._weights.get(name, 1.0) * scale for name in self._ahead}
        cost |= {name: _mean(times[1:] or times) for name, times in self._seconds.items()}
        whole = spent + sum(count * cost[name] for name, count in self._ahead.items())
        now = min(1.0, (spent + part * cost.get(kind, scale)) / whole) if whole > 0 else 1.0
        self._furthest = max(self._furthest, now)
        return self._furthest


def _mean(seconds: Sequence[float]) -> float:
    return sum(seconds) / len(seconds)


class WorkBar:
    """One bar over all the work of a verb; without somebody who watches it does nothing.

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
        self._work = WorkShare(ahead, weights=weights, now=now)

    def stage(self, stage: str) -> None:
        """Name what is worked on from now on; the first stage begins the work, whose rest is estimated from then on."""
        self._stage = stage
        self._tell(self._share())

    def part(self, kind: str, share: float, *, stage: str | None = None) -> None:
        """Tell that so much of a unit of this kind is done; `stage` renames what is worked on."""
        self._stage = self._stage if stage is None else stage
        self._tell(self._share(kind, share))

    def finish(self, kind: str, *, loaded: bool = False, seconds: float | None = None, stage: str | None = None) -> None:
        """Tell that a unit of this kind is done: see `WorkShare.finish`."""
        self._stage = self._stage if stage is None else stage
        self._work.finish(kind, loaded=loaded, seconds=seconds)
        self._tell(self._share())

    def end(self) -> None:
        """Tell that all is done, whatever was thought to be ahead."""
        self._tell(1.0)

    def _share(self, kind: str = "", part: float = 0.0) -> float:
        return 0.0 if self._in_rounds and self._work.guessed else self._work.share(kind, part)

    def _tell(self, share: float) -> None:
        if self._progress is not None:
            self._progress(self._stage, round(STEPS * share), STEPS)
