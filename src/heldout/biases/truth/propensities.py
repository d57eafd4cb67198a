"""How likely each test rating was to be in test: known, estimated, or wrong on purpose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import polars as pl

from heldout.biases.truth.estimators import TABLE
from heldout.biases.truth.truth_table import in_test_given_not_in_train, share_of_test
from heldout.errors import InputError
from heldout.tables import Interactions, Side, Split
from heldout.tables.arrays import Float64, Int32


@dataclass(frozen=True, eq=False, kw_only=True)
class Chances:
    """How likely pairs were to be rated, as the data set or the simulated world says."""

    of: Callable[[Int32, Int32], Float64]
    """From codes of users and items to the chance of each pair."""
    source: str

    def of_ratings(self, ratings: Interactions) -> Float64:
        """The chances of these ratings; InputError at the first that is no probability above 0."""
        chances = self.of(ratings.user, ratings.item)
        bad = ~((chances > 0) & (chances <= 1))
        if bad.any():
            row = int(np.argmax(bad))
            user, item = ratings.users.ids[ratings.user[row]], ratings.items.ids[ratings.item[row]]
            raise InputError(
                f"the propensity of item {item} for user {user} is {chances[row]:g}, expected above 0 and at most 1",
                file=self.source,
                hint="ratings that could not have been made cannot be weighed by one over their chance",
            )
        return chances


def table_of_propensities(split: Split, chances: Chances | None) -> Side:
    """A row for each test rating with its propensity in test, given that it is not in train, of each kind.

    InputError where a known one is not above 0 and at most 1.
    """
    test, share = split.test, share_of_test(split)
    guesses = {"estimated": _estimated, "flat": _flat, "steep": _steep}
    columns = {kind: in_test_given_not_in_train(guess(split), share) for kind, guess in guesses.items()}
    if chances is not None:
        columns["known"] = in_test_given_not_in_train(chances.of_ratings(test), share)
    return pair_table(test, columns)


def pair_table(ratings: Interactions, columns: dict[str, Float64]) -> Side:
    """Numbers of pairs of a user and an item, as metrics look them up."""
    return Side(ratings.items.decode(ratings.item), pl.DataFrame(columns), TABLE, ratings.users.decode(ratings.user))


def _estimated(split: Split) -> Float64:
    users, items, total = _counts(split)
    return np.minimum(1.0, users[split.test.user] * items[split.test.item] / total)


def _flat(split: Split) -> Float64:
    _, _, total = _counts(split)
    return np.full(len(split.test), total / (split.train.n_users * split.train.n_items))


def _steep(split: Split) -> Float64:
    users, items, total = _counts(split)
    square = (users[split.test.user] * items[split.test.item] / total) ** 2
    sum_of_squares = (users**2).sum() * (items**2).sum() / total**2
    return np.asarray(np.minimum(1.0, square * total / sum_of_squares))


def _counts(split: Split) -> tuple[Float64, Float64, int]:
    """Observed ratings of each user and each item, and all of them."""
    users = (split.train.user_counts + split.test.user_counts).astype(np.float64)
    items = (split.train.item_counts + split.test.item_counts).astype(np.float64)
    return users, items, len(split.train) + len(split.test)
