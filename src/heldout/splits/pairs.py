"""Pairs of users and items of one data set met in another."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from heldout.errors import InputError
from heldout.tables import Dropped, Interactions, Split
from heldout.tables.arrays import Ints


def rows_among(ratings: Interactions, others: Interactions) -> Ints:
    """For every rating the row of the same user and item among others, −1 where there is none; vocabularies are shared."""
    from heldout.kernels.grouping import find_rows

    row: Ints = np.empty(len(ratings), dtype=np.int32 if len(others) < 2**31 else np.int64)
    find_rows(ratings.user_indptr, ratings.item, others.user_indptr, others.item, row)
    return row


def refuse_overlap(train: Interactions, test: Interactions, train_name: str, test_name: str) -> None:
    """InputError when a pair is both a training and a test rating; vocabularies are shared."""
    both = rows_among(test, train) >= 0
    if both.any():
        first, others = int(both.argmax()), int(both.sum()) - 1
        pair = f"user {test.users.ids[test.user[first]]}, item {test.items.ids[test.item[first]]}"
        raise InputError(
            f"pairs of users and items are also in {train_name}",
            file=test_name,
            found=[pair, f"and {others:,} more"] if others else [pair],
            expected="disjoint training and test ratings",
            hint="set overlap=train or overlap=test to keep them in one part; `heldout split --audit` shows more",
        )


def without_overlap(split: Split, *, keep: Literal["train", "test"]) -> Split:
    """The split whose common pairs are in one part alone; those of the other are dropped and counted."""
    if keep == "train":
        both = rows_among(split.test, split.train) >= 0
        disjoint = replace(split, test=split.test.select(~both))
    else:
        both = rows_among(split.train, split.test) >= 0
        disjoint = replace(split, train=split.train.select(~both))
    if not both.any():
        return split
    other = "test" if keep == "train" else "train"
    return replace(disjoint, dropped=(*split.dropped, Dropped(f"pairs of {other} that are in {keep} too", int(both.sum()))))
