"""The condensed ranking."""

from __future__ import annotations

from heldout.catalogue.prose import cite
from heldout.targets.target import Form, Target


class TestRatings(Target):
    """Only the items that the user rated in test compete: the condensed ranking.

    Assumes: the user would have been shown nothing else. Values are far higher than in a real list and favour systems
    that predict ratings; a random ranking scores the share of relevant test ratings.

    Example: a user's test ratings are 5, 2 and 4: three items are ranked.
    """

    key = "TestRatings"
    aliases = ("condensed",)
    references = ("bellogin2011", "canamares2020")
    formula = "T_u = Te_u"
    lacks = "test items outside the list have no score, so their order is unknown"

    @property
    def form(self) -> Form:
        return Form(own=True)

    def phrase(self) -> str:
        return f"only the user's own test items were ranked (the condensed ranking){cite(('bellogin2011',))}"
