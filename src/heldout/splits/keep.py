"""A fixed number of each user's ratings trains."""

from __future__ import annotations

from collections.abc import Iterator

from heldout.catalogue import REQUIRED, param
from heldout.catalogue.prose import plural
from heldout.splits.parts import SHORT, Short, draws, place_in_user, without_short
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions


class Keep(Divider):
    """Trains on exactly n random ratings of each user and hides all others; also "given n".

    Assumes: all users are known equally well, as a system knows new ones. A user of n ratings or fewer would have nothing
    to test, which is an error unless `short` says otherwise.

    Example: under `keep(2)` a user of 5 ratings has 2 in train and 3 in test.
    """

    key = "keep"
    aliases = ("given_n",)
    formula = r"|Tr_u| = n"
    references = ("gunawardana2009",)
    drawn = "keep(4)"

    n: int = param(REQUIRED, "ratings of each user that train", least=1)
    short: Short = param("error", SHORT)

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        test = place_in_user(data, draws(data, seed, "split keep")) >= self.n
        yield without_short(data.user_counts, data.user, self.n + 1, self.short, test, self, "user")

    def phrase(self) -> str:
        kept = f"{plural(self.n, 'randomly chosen rating')} of each user were for training (“given {self.n}”)"
        return f"{kept} and all others for testing"
