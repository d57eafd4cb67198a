"""What a metric may know besides lists and test ratings: how popular items are, what users rated before, what items are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from heldout.errors import NotApplicableError
from heldout.tables.arrays import Float64, Int32, Int64, digest_of, frozen
from heldout.tables.interactions import Interactions
from heldout.tables.side import Features, Side
from heldout.tables.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False, kw_only=True)
class Background:
    """Shared by all systems of a fold, as the test set is; what is not known is None, and who needs it refuses by name."""

    items: Vocabulary
    train: Interactions | None = None
    positives: Int64 | None = None
    """|PR(i)|: relevant ratings of each item, in train and test."""
    ratings: Int64 | None = None
    """|R(i)|: ratings of each item, in train and test."""
    lowest: float | None = None
    """The lowest rating of the data set (train and test)."""
    side: Side | None = None
    """What the data set says of its items."""
    tables: Mapping[str, Side] = field(default_factory=dict)
    """By path, the tables of items, or of users and items, that metrics name."""
    users: Vocabulary | None = None
    train_counts: Int64 | None = None
    """Training ratings of each item by all users, where `train` holds only those of some."""
    train_users: int | None = None
    """Users with a training rating, where `train` holds only some of them."""

    @property
    def n_items(self) -> int:
        """Items of the catalogue."""
        return len(self.items)

    def train_of_judged(self, asker: object) -> Interactions:
        """The training ratings of the users who are judged here, at least; NotApplicableError where they are not known."""
        if self.train is None:
            raise NotApplicableError(
                f"{asker} needs the training ratings, which are not known", hint="pass the training set: train=…"
            )
        return self.train

    def known_train(self, asker: object) -> Interactions:
        """The training ratings of all users; NotApplicableError if they are not known."""
        if self.train_counts is not None:
            raise needs_all_training(asker)
        return self.train_of_judged(asker)

    def popularity(self, asker: object) -> Int64:
        """Training ratings of each item, by all users."""
        return self.train_counts if self.train_counts is not None else self.known_train(asker).item_counts

    @cached_property
    def raters(self) -> int:
        """Users with a training rating."""
        if self.train_users is not None:
            return self.train_users
        return int(np.count_nonzero(self.train.user_counts)) if self.train is not None else 0

    def table(self, path: str | None, asker: object) -> Side:
        """A named table of items, or the data set's own."""
        if path is not None:
            if path not in self.tables:
                raise NotApplicableError(f"{asker} needs a table that was not read", found=path)
            return self.tables[path]
        if self.side is None:
            raise NotApplicableError(
                f"{asker} needs a table of items, and the data set has none",
                hint='pass a file with a column item_id: table="items.csv"',
            )
        return self.side

    def features(self, column: str, path: str | None, asker: object) -> Features:
        """The features of every item."""
        features = self.table(path, asker).features(column, self.items)
        if not len(features.feature):
            raise NotApplicableError(
                f"{asker} needs features, and no item has any",
                found=column,
                expected="a column with values for items of the catalogue",
            )
        return features

    def numbers(self, column: str, path: str | None, asker: object) -> Float64:
        """A column of numbers, one for every item; NaN where the table has none."""
        return self.table(path, asker).numbers(column, self.items)

    def numbers_of_pairs(self, column: str, path: str | None, user: Int32, item: Int32, asker: object) -> Float64:
        """A column of numbers, one for every pair of a user and an item; NaN where the table has none.

        A table of items says the same of all users.
        """
        table = self.table(path, asker)
        if table.users is not None and self.users is None:
            raise NotApplicableError(
                f"{asker} needs the ids of users, which are not known", found=path, expected="one row for each item"
            )
        return table.numbers_of_pairs(column, self.users or self.items, self.items, user, item)

    @cached_property
    def digest(self) -> str:
        """sha256 of the side tables; ratings have digests of their own."""
        sides = [self.side, *self.tables.values()]
        return digest_of(*(s.digest if s is not None else None for s in sides), *self.tables)


def needs_all_training(asker: object) -> NotApplicableError:
    """Said where users are judged in pieces, each with its own training ratings."""
    return NotApplicableError(
        f"{asker} needs all training ratings at once, and users are judged in pieces here",
        hint="leave it out, or evaluate without streaming",
    )


def item_counts(*parts: Interactions) -> Int64:
    """Ratings of each item in all parts together."""
    return frozen(sum(part.item_counts for part in parts), np.int64)
