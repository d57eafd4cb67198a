"""Items that someone rated in training."""

from __future__ import annotations

from heldout.catalogue.prose import cite
from heldout.targets.target import Form, Target


class TrainingItems(Target):
    """Items with a training rating by some other user compete, but for the user's own training items (TrI-AR-AN).

    Assumes: an item without a training rating could not have been recommended. A relevant item without one is no target, but
    stays among the user's relevant items, so that recall and ideal lists count it.

    Example: 1,000 items, 900 of them with a training rating; the user has 40 of those in train: 860 are ranked.
    """

    key = "TrainingItems"
    references = ("bellogin2011",)
    formula = "T_u = ⋃_{v ≠ u} Tr_v ∖ Tr_u"

    @property
    def form(self) -> Form:
        return Form(candidates="training")

    def phrase(self) -> str:
        return f"all items with a training rating by anyone else were ranked, except the user's own{cite(('bellogin2011',))}"
