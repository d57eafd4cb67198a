"""A share of the ratings trains, the rest tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from heldout.catalogue import param
from heldout.split.parts import draws, place_in_user, rounded
from heldout.split.splitter import Divider, Hidden
from heldout.tables import Interactions


class Ratio(Divider):
    """Sends each rating to train with a probability, or a share of each user's ratings.

    By rating, every rating is a coin flip: r ∈ Tr with probability ρ. By user, |Tr_u| = ⌊ρ |R_u| + ½⌋ of each user's
    ratings, drawn at random.

    Assumes: by rating, the sizes vary a little with the seed, and users with few ratings may have none in one part. By
    user, halves round up into train: of one rating at ρ = 0.5, that one trains, and the user is not tested.

    Example: under `ratio(train=0.8, by=user)` a user of 5 ratings has 4 in train and 1 in test; one of 2 has both in train.
    """

    key = "ratio"
    formula = r"P(r \in Tr) = \rho"
    references = ("canamares2020", "valcarce2018")
    drawn = "ratio(train=0.7, by=user)"

    train: float = param(0.8, "share of the ratings that trains", above=0, below=1, also=("ρ", "rho"))
    by: Literal["rating", "user"] = param("rating", "whether the share is of all ratings or of each user's")

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        keys = draws(data, seed, "split ratio")
        if self.by == "rating":
            yield Hidden(keys >= self.train)
            return
        kept = rounded(self.train, data.user_counts)
        yield Hidden(place_in_user(data, keys) >= kept[data.user])
