"""Items that someone rated in test."""

from __future__ import annotations

from heldout.catalogue.prose import cite
from heldout.targets.target import Form, Target


class TestItems(Target):
    """Items with a test rating by some user compete, but for the user's training items (TI-AR-AN).

    Assumes: an item that nobody rated in test could not have been recommended. What competes thus depends on the test
    set.

    Example: 1,000 items, 700 of them with a test rating by someone; the user has 40 of those in train: 660 are ranked.
    """

    key = "TestItems"
    references = ("bellogin2011", "bellogin2017")
    formula = "T_u = ⋃_v Te_v ∖ Tr_u"

    @property
    def form(self) -> Form:
        return Form(candidates="test")

    def phrase(self) -> str:
        return (
            f"all items with a test rating by anyone were ranked, except the user's training items{cite(('bellogin2011',))}"
        )
