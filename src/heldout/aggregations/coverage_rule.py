"""What a coverage rule is: which users a system's average is taken over."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from heldout.catalogue import Component
from heldout.errors import InputError
from heldout.tables.arrays import Bool, Float64

LEFT_OUT_WHERE_UNSERVED = "are left out of the averages of systems that do not serve them"


class CoverageRule(Component, kind="coverage"):
    """Decides which users are averaged when a system recommends nothing to some of them."""

    as_zero: ClassVar[bool] = False
    """Whether a user without recommendations is averaged, mostly as 0."""
    per_system: ClassVar[bool] = False
    """Whether systems may be averaged over different users."""

    def fate(self, *, higher_is_better: bool) -> str:
        """What becomes of users whom some system does not serve, completing "the others …"."""
        return f"are treated by {self}"

    @abstractmethod
    def included(self, lengths: Sequence[Float64]) -> list[Bool]:
        """For each system, which users are averaged, from the lengths of its lists; users are aligned."""


def covered(lengths: Sequence[Float64]) -> list[Bool]:
    """For each system, the users who were given at least one item."""
    sizes = {len(of_system) for of_system in lengths}
    if len(sizes) > 1:
        raise InputError(
            "the systems have different numbers of users", found=sorted(sizes), hint="align the users of all systems first"
        )
    return [np.asarray(of_system) > 0 for of_system in lengths]
