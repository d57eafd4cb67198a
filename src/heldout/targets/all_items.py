"""The full ranking."""

from __future__ import annotations

from heldout.targets.target import Form, Target


class AllItems(Target):
    """All items of the catalogue compete, but for the user's training items: the full ranking.

    Assumes: the catalogue is every item of the data after filtering; unrated items count by `unrated`, and since most are
    unrated, values are low and depend on how many ratings the test set holds.

    Example: of 1,000 items a user has 40 in train: 960 are ranked.
    """

    key = "AllItems"
    aliases = ("full",)
    references = ("bellogin2011", "canamares2020")
    formula = "T_u = I ∖ Tr_u"

    @property
    def form(self) -> Form:
        return Form()

    def phrase(self) -> str:
        return "all items of the catalogue were ranked for each user, except the user's training items"
