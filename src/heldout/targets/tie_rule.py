"""What a tie rule is: the order of targets with equal scores."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from heldout.catalogue import Component
from heldout.tables import Vocabulary
from heldout.tables.arrays import Int32


class TieRule(Component, kind="ties"):
    """Orders items of equal score."""

    casts: ClassVar[bool] = False
    """True if scores are cast to float32 before they are compared."""

    fixed_order: ClassVar[bool] = False
    """True if the same items come first for every user; low ids may be the popular items."""
    from_file: ClassVar[bool] = False
    """True if the order is that of the rows of a run, which fitted models do not have."""
    expects: ClassVar[bool] = False
    """True if values are means over all orders of tied items."""
    counts: ClassVar[bool] = False
    """True if ties must be counted for every user."""

    def draws(self, fold: int) -> int:
        """The key of the draws that order equal scores user by user; 0 if `keys` orders them for all users alike."""
        return 0

    @abstractmethod
    def keys(self, items: Vocabulary) -> Int32:
        """A distinct key for every item; of equal scores the lower key comes first."""
