"""What an unrated rule is: how ranked items without a rating are treated."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar, Self

from heldout.catalogue import Component
from heldout.tables import Judged


class UnratedRule(Component, kind="unrated"):
    """Decides what an item that the user did not rate in test counts as."""

    bound: ClassVar[bool] = False
    """Whether values only bound what others may be: they stand beside these, and no system wins or loses by them."""

    full_gain: ClassVar[bool] = False
    """Whether unrated items may count with full gain, which only metrics that are `interval_ok` allow."""
    keeps_lists: ClassVar[bool] = True
    """Whether lists keep their unrated items; metrics that look at whole lists have no value otherwise."""

    def ends(self) -> tuple[Self, ...]:
        """The rules that give the values of this one: itself, or the two ends of an interval."""
        return (self,)

    @abstractmethod
    def apply(self, judged: Judged) -> Judged:
        """The lists as the metrics are to see them."""
