"""A random number of each user's ratings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from heldout import rng
from heldout.catalogue import param
from heldout.splits.parts import draws, place_in_user
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions


class Hide(Divider):
    """Hides a random number of random ratings of each user, mostly of sampled ones: `test_users(n, then=hide(random))`.

    The number is drawn evenly from 1 to |R_u| − 1, then as many of the user's ratings.

    Assumes: time does not matter; users who are known little and users who are known well are both tested. A user of one
    rating only trains.

    Example: a user of 4 ratings has 1, 2 or 3 of them hidden, each a third of the time.
    """

    key = "hide"
    formula = "|Te_u| ~ U{1, …, |R_u| − 1}"
    references = ("gunawardana2009",)
    drawn = "hide(random)"

    how: Literal["random"] = param("random", "how many and which: at random")

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        drawn = rng.uniform(rng.key(seed, "split hide number"), np.arange(data.n_users))
        number = np.where(data.user_counts > 1, 1 + np.floor(drawn * (data.user_counts - 1)), 0).astype(np.int64)
        yield Hidden(place_in_user(data, draws(data, seed, "split hide")) < number[data.user])

    def phrase(self) -> str:
        return "a random number of randomly chosen ratings was hidden"
