"""Pairs of users and items of one data set met in another."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from heldout.errors import InputError
from heldout.tables import Dropped, Interactions, Split
from heldout.tables.arrays import Bool, Int64


def pairs_of(data: Interactions) -> Int64:
    """A number for every (user, item) pair; ascending, since rows are sorted by user and item."""
    return data.user.astype(np.int64) * data.n_items + data.item


def found_pairs(pairs: Int64, among: Int64) -> tuple[Int64, Bool]:
    """Where each pair is among others (0 where it is not), and whether it is."""
    if len(among) == 0:
        return np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs), dtype=np.bool_)
    at = np.searchsorted(among, pairs)
    at[at == len(among)] = 0
    return at, among[at] == pairs


def refuse_overlap(train: Interactions, test: Interactions, train_name: str, test_name: str) -> None:
    """InputError when a pair is both a training and a test rating; vocabularies are shared."""
    _, both = found_pairs(pairs_of(test), pairs_of(train))
    if both.any():
        first = int(both.argmax())
        raise InputError(
            f"{int(both.sum()):,} (user, item) pairs are also in {train_name} (first: user "
            f"{test.users.ids[test.user[first]]}, item {test.items.ids[test.item[first]]})",
            file=test_name,
            hint="training and test ratings must be disjoint; say overlap=train or overlap=test to keep them in one part; "
            "`heldout split --audit` tells more",
        )


def without_overlap(split: Split, *, keep: Literal["train", "test"]) -> Split:
    """The split whose common pairs are in one part alone; those of the other are dropped and counted."""
    train, test = pairs_of(split.train), pairs_of(split.test)
    if keep == "train":
        both = found_pairs(test, train)[1]
        disjoint = replace(split, test=split.test.select(~both))
    else:
        both = found_pairs(train, test)[1]
        disjoint = replace(split, train=split.train.select(~both))
    if not both.any():
        return split
    other = "test" if keep == "train" else "train"
    return replace(disjoint, dropped=(*split.dropped, Dropped(f"pairs of {other} that are in {keep} too", int(both.sum()))))
