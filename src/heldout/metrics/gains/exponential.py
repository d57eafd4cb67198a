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
                where=f"{self.key}: 'top'",
                found=self.top,
                expected=f"at most {self.highest_grade:g}, the highest for powers of two",
                hint="use gain=binary, gain=linear or a table of gains",
            )

    def scale_top(self, highest: float) -> float:
        """The stated top, or the highest rating of the data; NotApplicableError if ratings exceed either limit."""
        if highest > self.highest_grade:
            raise NotApplicableError(
                f"gain={self} is for grades",
                where="metrics",
                found=highest,
                expected=f"a highest rating of at most {self.highest_grade:g}",
                hint="use gain=binary, or turn counts into ratings with the filter playcounts_to_ratings",
            )
        if self.top is None:
            return highest
        if highest > self.top:
            raise NotApplicableError(
                f"gain={self} has a top below the highest rating",
                where="metrics",
                found=highest,
                expected=f"at most {self.top:g}",
                hint=f"write gain={self.key}({highest:g}), or gain={self.key} to take the top from the data",
            )
        return self.top
