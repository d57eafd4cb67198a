"""Only the users a system covers are averaged."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.aggregations.coverage_rule import LEFT_OUT_WHERE_UNSERVED, CoverageRule, covered
from heldout.tables.arrays import Bool, Float64


class Forgive(CoverageRule):
    """Each system is averaged over the users it recommends something to.

    Assumes: nothing of the users left out, so averages of two systems may speak of different users; their test runs on
    the users that both cover. Read it beside user coverage only.

    Example: two covered users at 0.5 and two uncovered ones average to 0.5.
    """

    key = "forgive"
    references = ("canamares2020",)
    per_system = True

    def fate(self, *, higher_is_better: bool) -> str:
        return LEFT_OUT_WHERE_UNSERVED

    def included(self, lengths: Sequence[Float64]) -> list[Bool]:
        """The system's covered users."""
        return covered(lengths)

    def phrase(self) -> str:
        return "each system was averaged over the users it recommended something to"
