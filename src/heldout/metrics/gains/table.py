"""Gains written out."""

from __future__ import annotations

import numpy as np

from heldout.catalogue import REQUIRED, Coerced, param
from heldout.errors import NotApplicableError, SpecError
from heldout.metrics.metric import Gain
from heldout.tables.arrays import Bool, Float64


class GainTable(Gain):
    """The gain of each grade is written out, from the lowest grade to the highest.

    Assumes: the first gain is that of grade `first`, the next that of `first` + `step`; a grade that the table lacks is
    an error.

    Example: gain=table([0, 0, 0, 1, 2]): ratings 5, 4, 3 gain 2, 1, 0; with first=0 the same table is for grades 0 to 4.
    """

    key = "table"
    grows_with_rating = False
    formula = "g = the gain written for the grade"
    references = ("jarvelin2002",)
    bounded = False

    gains: Coerced[tuple[float, ...], list[float]] = param(REQUIRED, "gains of the grades, in order")
    first: float = param(1.0, "the grade that the first gain belongs to")
    step: float = param(1.0, "how far grades are apart, such as 0.5", above=0)

    def check(self) -> None:
        if not self.gains or min(self.gains) < 0:
            raise SpecError(where="gain table", found=self.gains, expected="one or more gains of at least 0")

    @property
    def within_one(self) -> bool:
        """Whether no gain is above 1."""
        return max(self.gains) <= 1

    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        place = (grade - self.first) / self.step
        whole = np.rint(place).astype(np.int64)
        lacking = (np.abs(place - whole) > 1e-9) | (whole < 0) | (whole >= len(self.gains))
        if lacking.any():
            last = self.first + self.step * (len(self.gains) - 1)
            raise NotApplicableError(
                "this rating has no gain",
                where=f"gain={self}",
                found=float(grade[lacking][0]),
                expected=f"ratings from {self.first:g} to {last:g} in steps of {self.step:g}",
                hint="set first=… or step=…, or add gains",
            )
        return np.array(self.gains, dtype=np.float64)[whole]
