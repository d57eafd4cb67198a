"""Progress over draws: preparing each, and every system on every split that a protocol needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from heldout.experiment.work_share import Progress, WorkBar

BAR = "held against the truth"
"""What progress calls the work."""
PREPARING = "drawing and splitting"


class DrawProgress:
    """One bar over all draws, by what preparing and each fit took in the draws before."""

    def __init__(self, progress: Progress | None, draws: int, systems: Sequence[str], splits: Sequence[str]) -> None:
        self._systems = systems
        self._fits = [fit for split in splits for fit in self._fits_on(split)]
        self._counted: dict[int, list[str]] = {}
        self.bar = WorkBar(progress, dict.fromkeys((PREPARING, *self._fits), draws), in_rounds=draws > 1)
        self.bar.stage(BAR)

    def prepared(self, number: int, splits: Sequence[str]) -> Callable[[], None]:
        """Count a draw as prepared; what is returned is called after each of its fits that this process does."""
        self.bar.finish(PREPARING)
        fits = [fit for split in splits for fit in self._fits_on(split)]
        counted = self._counted[number] = []

        def step() -> None:
            counted.append(fits[len(counted)])
            self.bar.finish(counted[-1])

        return step

    def finish(self, number: int, *, loaded: bool) -> None:
        """Count the fits of a draw that this process did not do: all of one from the folder or another process.

        In a draw of this process these are the fits on a split that cannot be made, which take no time.
        """
        counted = self._counted[number]
        for fit in self._fits:
            if fit not in counted:
                self.bar.finish(fit, loaded=loaded, seconds=0.0 if counted else None)

    def _fits_on(self, split: str) -> list[str]:
        return [f"{system} {split}" for system in self._systems]
