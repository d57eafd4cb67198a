"""A fixed number of each item's ratings on one side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from heldout.catalogue import REQUIRED, param
from heldout.catalogue.prose import plural
from heldout.splits.parts import SHORT, Short, draws, place_in_item, without_short
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions


class PerItem(Divider):
    """Sends l random ratings of each item to one side and all its others to the other side.

    Assumes: with `side=test` every item has equally many test ratings, so that popularity cannot tell them apart; with
    `side=train` equally many training ratings. An item of l ratings or fewer would have none on the other side, which is an
    error unless `short` says otherwise.

    Example: under `per_item(2, side=test)` items of 5 and 3 ratings have 3 and 1 in train, and 2 in test each.
    """

    key = "per_item"
    formula = "|Te_i| = l or |Tr_i| = l"
    references = ("bellogin2017",)
    drawn = "per_item(2, short=train)"

    l: int = param(REQUIRED, "ratings of each item on that side", least=1)  # noqa: E741 - the literature's name
    side: Literal["train", "test"] = param("test", "the side that has l ratings of each item")
    short: Short = param("error", SHORT)

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        chosen = place_in_item(data, draws(data, seed, "split per_item")) < self.l
        test = chosen if self.side == "test" else ~chosen
        yield without_short(data.item_counts, data.item, self.l + 1, self.short, test, self, "item")

    def phrase(self) -> str:
        return f"{plural(self.l, 'randomly chosen rating')} of each item formed the {self.side} set"
