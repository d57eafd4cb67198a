"""Unrated items gain nothing."""

from __future__ import annotations

from heldout.metrics.unrated_rule import UnratedRule
from heldout.tables import Judged


class Zero(UnratedRule):
    """Unrated items keep their ranks and gain 0: neither relevant nor judged non-relevant.

    Assumes: what a user did not rate in test is worth nothing, which underestimates every system.

    Example: a relevant item behind two unrated ones has rank 3.
    """

    key = "zero"
    references = ("canamares2020",)

    def apply(self, judged: Judged) -> Judged:
        return judged

    def phrase(self) -> str:
        return "unrated items in a list counted as not relevant"
