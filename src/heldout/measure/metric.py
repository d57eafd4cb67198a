"""What a metric is: judged lists in, one value per list out."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Literal

from heldout.catalogue import Component
from heldout.tables import Judged
from heldout.tables.arrays import Bool, Float64

Task = Literal["predict_ratings", "some_good_items", "all_good_items", "utility", "fixed_list"]


class Metric(Component, kind="metric"):
    """A value for every list, from the ranks and grades of the rated items met in it."""

    range: ClassVar[tuple[float, float]] = (0.0, 1.0)
    direction: ClassVar[Literal["higher", "lower", "none"]] = "higher"
    """Which values are better; "none" for diagnostics, which are shown and never tested."""
    undefined: ClassVar[str] = "never"
    """When the value is NaN, in words."""
    claims: ClassVar[tuple[str, ...]] = ()
    """Properties that hold and are tested: "ideal is 1", "moving a relevant item up never lowers"."""
    tasks: ClassVar[tuple[Task, ...]] = ()
    libraries: ClassVar[dict[str, str]] = {}
    """What other libraries mean by the same name."""

    @abstractmethod
    def measure(self, judged: Judged) -> Float64:
        """One value per list; NaN where the metric's own denominator is 0."""


class Gain(Component, kind="gain"):
    """How a rating becomes gain."""

    bounded: ClassVar[bool] = True
    """Whether gains stay within 0…1."""

    @abstractmethod
    def gain(self, grade: Float64, relevant: Bool, top_grade: float) -> Float64:
        """The gain of each rated item."""
