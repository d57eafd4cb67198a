"""A time of its own for each user."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from heldout import rng
from heldout.catalogue import param
from heldout.splits.parts import times_of
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions


class RandomTime(Divider):
    """Draws a time for each user and hides what the user rated after it.

    The time is drawn evenly between the user's first and last rating: t_u = t_first + x (t_last − t_first), x in [0, 1).

    Assumes: only the order of a user's own ratings matters, not when they were made: what one user trains on may be newer
    than what another is tested on, and the audit says so. The first rating always trains and the last always tests; a user
    whose ratings all have one time only trains.

    Example: a user with ratings at times 0, 10 and 40 for whom 15 is drawn trains on two and is tested on one.
    """

    key = "random_time"
    formula = "Te_u = {r ∈ R_u : t(r) > t_u}"
    references = ("gunawardana2009",)
    drawn = "random_time"
    follows_time = True

    by: Literal["user"] = param("user", "the time is drawn for each user")

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        time = times_of(data, self)
        met = data.user_counts > 0
        starts = data.user_indptr[:-1][met]
        first, last = np.zeros(data.n_users, dtype=np.int64), np.zeros(data.n_users, dtype=np.int64)
        first[met], last[met] = np.minimum.reduceat(time, starts), np.maximum.reduceat(time, starts)
        drawn = rng.uniform(rng.key(seed, "split random_time"), np.arange(data.n_users))
        cut = first + np.floor(drawn * (last - first)).astype(np.int64)
        yield Hidden(time > cut[data.user])

    def phrase(self) -> str:
        return "a moment was drawn at random for each user, after which all ratings were hidden"
