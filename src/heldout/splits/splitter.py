"""What a split is: a way to hide part of the ratings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from heldout.catalogue import Component
from heldout.errors import InputError
from heldout.tables import Dropped, Interactions, Split
from heldout.tables.arrays import Bool


class Splitter(Component, kind="split"):
    """Divides ratings into train and test, once or in several folds."""

    drawn: ClassVar[str] = ""
    """The text form whose drawing explains the split; empty where there is nothing to draw."""

    predefined: ClassVar[bool] = False
    """Whether the parts were made elsewhere, by a rule that is not known here."""

    uniform: ClassVar[bool] = False
    """Whether every test item has the same number of test ratings, so that popular ones have no advantage."""

    @property
    def follows_time(self) -> bool:
        """Whether each user's test ratings are later than the user's training ratings."""
        return False

    @property
    def coin_flip(self) -> bool:
        """Whether each rating tests with the same chance, whatever happens to the others."""
        return False

    @property
    def one_cut(self) -> bool:
        """Whether ratings are hidden from one moment on, the same for all users: `Hidden.cut` tells it."""
        return False

    @property
    def needs_data(self) -> bool:
        """Whether it divides the study's data; a predefined split may bring its own."""
        return True

    @property
    def folds_made(self) -> int:
        """How many splits `split` gives."""
        return 1

    @property
    def least_kept_for_disjoint(self) -> float | None:
        """The least share of an item's ratings that must train for its folds not to overlap; None if they do not."""
        return None

    @abstractmethod
    def split(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
        """The splits, fold by fold; every rating is in train, in test, or counted as dropped with its reason."""

    def unchecked(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
        """The splits as they are, also where files have pairs in both parts: what an audit looks at."""
        return self.split(data, seed=seed)

    def source_digest(self) -> str:
        """sha256 of files the split itself reads; empty when it reads none."""
        return ""


@dataclass(frozen=True, eq=False)
class Hidden:
    """Which rows one fold hides."""

    test: Bool
    dropped: tuple[tuple[str, Bool], ...] = ()
    """Rows that are in neither part, by the reason."""
    cut: int | None = None
    """The moment, one for all users, from which ratings are hidden."""


class Divider(Splitter):
    """A split that goes through the ratings of one data set and says of each row where it belongs."""

    @abstractmethod
    def hidden(self, data: Interactions, *, seed: int) -> Iterator[Hidden]:
        """What each fold hides; InputError says what to change when the data cannot be divided so."""

    def split(self, data: Interactions | None, *, seed: int) -> Iterator[Split]:
        if data is None:
            raise InputError("there are no data to divide", hint="set data").within(str(self))
        for fold, hidden in enumerate(self.hidden(data, seed=seed)):
            yield not_empty(parts_of(data, hidden, fold), self)


def parts_of(data: Interactions, hidden: Hidden, fold: int) -> Split:
    """Train is what is neither hidden nor dropped."""
    train = ~hidden.test
    for _, rows in hidden.dropped:
        train &= ~rows
    dropped = tuple(Dropped(reason, int(rows.sum())) for reason, rows in hidden.dropped if rows.any())
    return Split(train=data.select(train), test=data.select(hidden.test), fold=fold, dropped=dropped)


def not_empty(split: Split, by: Splitter) -> Split:
    """The split itself; InputError when its train or its test is empty."""
    for name, part in (("training", split.train), ("test", split.test)):
        if len(part) == 0:
            raise InputError(
                f"the {name} set of fold {split.fold + 1} is empty",
                found=[f"{len(split.train):,} training ratings", f"{len(split.test):,} test ratings"],
                hint="use more data, or another split",
            ).within(str(by))
    return split
