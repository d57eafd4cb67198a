"""What a coverage rule is: which users a system's average is taken over."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from heldout.catalogue import Component
from heldout.errors import InputError
from heldout.tables.arrays import Bool, Float64


class CoverageRule(Component, kind="coverage"):
    """Decides which users are averaged when a system recommends nothing to some of them."""

    @abstractmethod
    def included(self, lengths: Sequence[Float64]) -> list[Bool]:
        """For each system, which users are averaged, from the lengths of its lists; users are aligned."""


def covered(lengths: Sequence[Float64]) -> list[Bool]:
    """For each system, the users who were given at least one item."""
    sizes = {len(of_system) for of_system in lengths}
    if len(sizes) > 1:
        raise InputError(
            f"systems have lengths for {' and '.join(str(s) for s in sorted(sizes))} users",
            hint="align the users of all systems first",
        )
    return [np.asarray(of_system) > 0 for of_system in lengths]
