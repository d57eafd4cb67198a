"""Making the parts of a split: which rows are hidden, in what random order, and that no part is empty."""

from __future__ import annotations

import numpy as np

from heldout import rng
from heldout.errors import InputError
from heldout.split.splitter import Splitter
from heldout.tables import Dropped, Interactions, Split
from heldout.tables.arrays import Bool, Float64, Int64


def draws(data: Interactions, seed: int, purpose: str) -> Float64:
    """A number in [0, 1) for every rating, keyed by its user and item: other ratings do not change it."""
    return rng.uniform(rng.key(seed, purpose), data.user, data.item)


def place_in_user(data: Interactions, keys: Float64) -> Int64:
    """The 0-based place of every rating among its user's, ordered by `keys`."""
    order = np.lexsort((keys, data.user))
    place = np.empty(len(data), dtype=np.int64)
    place[order] = np.arange(len(data)) - data.user_indptr[data.user[order]]
    return place


def rounded(share: float, counts: Int64) -> Int64:
    """share × counts to the nearest whole number, halves up; 0.29 × 50 is a half although floats say 14.4999…"""
    return np.asarray(np.floor(share * counts + 0.5 + 1e-9), dtype=np.int64)


def divided(data: Interactions, test: Bool, by: Splitter, *, fold: int = 0, dropped: tuple[Dropped, ...] = ()) -> Split:
    """Train is what test is not; InputError when either is empty."""
    made = Split(data.select(~test), data.select(test), fold=fold, dropped=dropped)
    return not_empty(made, by)


def not_empty(split: Split, by: Splitter) -> Split:
    """The split itself; InputError when its train or its test is empty."""
    for name, part in (("training", split.train), ("test", split.test)):
        if len(part) == 0:
            raise InputError(
                f"{by}: the {name} set of fold {split.fold + 1} is empty "
                f"({len(split.train):,} training and {len(split.test):,} test ratings)",
                hint="the data are too few for this split",
            )
    return split


def needed(data: Interactions | None, by: Splitter) -> Interactions:
    """The data that a split divides; InputError when there are none."""
    if data is None:
        raise InputError(f"{by} divides a data set, and none is given", hint="name the data")
    return data
