"""A share of the ratings trains, the rest tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from heldout.catalogue import param
from heldout.catalogue.prose import share
from heldout.errors import SpecError
from heldout.splits.parts import draws, from_place, place_in_user, rounded, rounded_down
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions
from heldout.tables.arrays import Bool


class Ratio(Divider):
    """Sends each rating to train with a probability, or a share of each user's ratings.

    By rating, every rating is a coin flip: r ∈ Tr with probability ρ. By user, |Tr_u| = ⌊ρ |R_u| + ½⌋ of each user's
    ratings, drawn at random; with `rounding=test_down`, |Te_u| = ⌊(1 − ρ) |R_u|⌋, as in the split that Valcarce et al.
    published.

    Assumes: by rating, the sizes vary a little with the seed, and users with few ratings may have none in one part. By
    user, halves round up into train: of one rating at ρ = 0.5, that one trains, and the user is not tested.

    Example: under `ratio(train=0.8, by=user)` a user of 5 ratings has 4 in train and 1 in test, one of 2 has both in train,
    and one of 8 has 6 in train; with `rounding=test_down` that one has 7.
    """

    key = "ratio"
    formula = "P(r ∈ Tr) = ρ"
    references = ("canamares2020", "valcarce2018")
    drawn = "ratio(train=0.7, by=user)"

    train: float = param(0.8, "share of the ratings that trains", above=0, below=1, also=("ρ", "rho"), spelled=True)
    by: Literal["rating", "user"] = param("rating", "whether the share is of all ratings or of each user's")

    rounding: Literal["nearest", "test_down"] = param(
        "nearest", "by user: the training share to the nearest whole number, or the test share down"
    )

    def check(self) -> None:
        """Coin flips round nothing."""
        if self.by == "rating" and self.rounding != "nearest":
            raise SpecError(
                "only by=user rounds, because it takes a share of each user",
                where="ratio: 'rounding'",
                found=self.rounding,
                hint="add by=user, or remove rounding",
            )

    @property
    def coin_flip(self) -> bool:
        return self.by == "rating"

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        yield Hidden(self._tested(data, seed))

    def _tested(self, data: Interactions, seed: int) -> Bool:
        keys = draws(data, seed, "split ratio")
        if self.by == "rating":
            return keys >= self.train
        if self.rounding == "test_down":
            kept = data.user_counts - rounded_down(1 - self.train, data.user_counts)
        else:
            kept = rounded(self.train, data.user_counts)
        return from_place(data, place_in_user(data, keys), kept)

    def phrase(self) -> str:
        if self.by == "user":
            drawn = f"for each user, {share(self.train)} of the ratings, drawn at random"
            return f"{drawn}, were for training and the others for testing"
        return f"each rating was assigned to the training set with probability {self.train:g}, and to the test set otherwise"
