"""A fixed number of each user's ratings tests."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.catalogue import param
from heldout.catalogue.prose import plural
from heldout.splits.parts import SHORT, Short, draws, place_in_user, without_short
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions


class LeaveOut(Divider):
    """Hides l random ratings of each user and trains on all others; also "all but n".

    Assumes: a user of l ratings or fewer would have nothing left to train on, which is an error unless `short` says
    otherwise. For each user's newest ratings see `temporal(by=user, last=l)`.

    Example: under `leave_out(1)` a user of 5 ratings has 4 in train and 1 in test.
    """

    key = "leave_out"
    aliases = ("all_but",)
    formula = r"|Te_u| = l"
    references = ("gunawardana2009", "bellogin2011")
    drawn = "leave_out(2)"

    l: int = param(1, "ratings of each user that test", least=1, also=("n",), spelled=True)  # noqa: E741 - the literature's name
    short: Short = param("error", SHORT)

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        test = place_in_user(data, draws(data, seed, "split leave_out")) < self.l
        yield without_short(data.user_counts, data.user, self.l + 1, self.short, test, self, "user")

    def phrase(self) -> str:
        return f"{plural(self.l, 'randomly chosen rating')} of each user formed the test set"
