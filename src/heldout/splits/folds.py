"""Cross-validation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from heldout import rng
from heldout.catalogue import param
from heldout.catalogue.prose import number_word
from heldout.errors import InputError
from heldout.splits.parts import draws, evenly_dealt, place_in_user
from heldout.splits.splitter import Divider, Hidden
from heldout.tables import Interactions
from heldout.tables.arrays import Ints


class Folds(Divider):
    """n-fold cross-validation: the ratings fall into n disjoint test sets, and each trains on all the others.

    By rating, each rating falls into a random fold. By user, each user's ratings in a random order are dealt to the folds in
    turn: a user's ratings in two folds differ by at most one.

    Assumes: fold sizes differ by at most one rating in both. By user, a user of fewer than n ratings is tested in as many
    folds as there are ratings, and trains on none in the fold that tests an only one.

    Example: 7 ratings under `folds(3)` make test sets of 3, 2 and 2.
    """

    key = "folds"
    aliases = ("cross_validation",)
    references = ("canamares2020", "bellogin2017")
    drawn = "folds(4)"

    n: int = param(5, "number of folds", least=2, most=10_000, spelled=True)
    by: Literal["rating", "user"] = param("rating", "whether all ratings are dealt together or user by user")

    @property
    def folds_made(self) -> int:
        return self.n

    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        if self.n > len(data):
            raise InputError(
                "some folds would have no test ratings",
                found=len(data),
                expected=f"at least {self.n:,} ratings",
                hint="choose fewer folds",
            ).within(str(self))
        fold = self._folds(data, seed)
        for k in range(self.n):
            yield Hidden(fold == k)

    def _folds(self, data: Interactions, seed: int) -> Ints:
        keys = draws(data, seed, "split folds")
        if self.by == "user":
            # Users in a random order too, so that where a user of few ratings falls is left to chance.
            turn = np.argsort(rng.uniform(rng.key(seed, "split folds user"), np.arange(data.n_users)), kind="stable")
            begin = np.empty(data.n_users, dtype=np.int64)
            begin[turn] = np.cumsum(data.user_counts[turn]) - data.user_counts[turn]
            return ((begin[data.user] + place_in_user(data, keys)) % self.n).astype(np.int32)
        return evenly_dealt(keys, self.n)

    def phrase(self) -> str:
        return (
            f"{number_word(self.n)}-fold cross-validation was used, ratings being dealt at random into disjoint test sets"
            + (" user by user" if self.by == "user" else "")
        )
