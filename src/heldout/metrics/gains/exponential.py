"""Gains that grow as powers of the rating, and the top of the scale that they are divided by."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from heldout.errors import NotApplicableError, SpecError
from heldout.metrics.metric import Gain


class ScaledGain(Gain):
    """A gain of powers of two, divided by that of the top of the scale."""

    exponential: ClassVar[bool] = True
    highest_grade: ClassVar[float] = 30
    """Of counts up to 3,000, 2^−3000 would be left of most ratings, which is 0."""

    if TYPE_CHECKING:  # a parameter, which each gain declares
        top: float | None

    def check(self) -> None:
        """Refuse a stated top that no scale of grades has."""
        if self.top is not None and self.top > self.highest_grade:
            raise SpecError(
                f"{self}: a top of {self.top:,.10g} is above {self.highest_grade:g}, the highest for powers of two",
                hint="use gain=binary, gain=linear or a table of gains",
            )

    def scale_top(self, highest: float) -> float:
        """The stated top, or the highest rating of the data; NotApplicableError if ratings exceed either limit."""
        if highest > self.highest_grade:
            raise NotApplicableError(
                f"gain={self} is for grades, and the highest rating is {highest:,.10g}, expected at most "
                f"{self.highest_grade:g}",
                where="metrics",
                hint="use gain=binary, or turn counts into ratings with the filter playcounts_to_ratings",
            )
        if self.top is None:
            return highest
        if highest > self.top:
            raise NotApplicableError(
                f"gain={self} states a top of {self.top:g}, and the highest rating is {highest:g}",
                where="metrics",
                hint=f"write gain={self.key}({highest:g}), or gain={self.key} to take the top from the data",
            )
        return self.top
