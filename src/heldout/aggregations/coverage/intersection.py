"""Only the users that every system covers are averaged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from heldout.aggregations.coverage_rule import CoverageRule, covered
from heldout.tables.arrays import Bool, Float64


class Intersection(CoverageRule):
    """All systems are averaged over the users that every compared system recommends something to.

    Assumes: those users are of interest. Values depend on which systems are compared: adding one may change them all.

    Example: A covers users 1 and 2, B covers 2 and 3; both are averaged over user 2.
    """

    key = "intersection"
    references = ("canamares2020",)

    def fate(self, *, higher_is_better: bool) -> str:
        return "are left out"

    def included(self, lengths: Sequence[Float64]) -> list[Bool]:
        """The users covered by all."""
        masks = covered(lengths)
        both: Bool = np.logical_and.reduce(masks) if masks else np.zeros(0, dtype=np.bool_)
        return [both.copy() for _ in masks]

    def phrase(self) -> str:
        return "all systems were averaged over the users to whom every system recommended something"
