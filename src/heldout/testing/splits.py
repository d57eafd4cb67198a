"""The contract of splits: what every split of the catalogue, ours or yours, must keep.

from heldout.testing import check_split
check_split(MySplit(share=0.2))
"""

from __future__ import annotations

import numpy as np

from heldout import threads
from heldout.splits.splitter import Splitter
from heldout.tables import Interactions, Split
from heldout.testing.components import check_text_form, contract, renamed, some_ratings


@contract
def check_split(splitter: Splitter, data: Interactions | None = None, *, seed: int = 1) -> None:
    """Raise AssertionError, saying what is broken, unless the split keeps the contract on these ratings.

    `data` are small made-up ratings with times unless given; a split that brings its own ratings is given none.
    """
    if splitter.needs_data:
        data = some_ratings() if data is None else data
    check_text_form(splitter)
    before = data.fresh_digest() if data is not None else ""
    splits = list(splitter.split(data, seed=seed))
    assert splits, f"{splitter} makes no split"
    assert len(splits) == splitter.folds_made, f"{splitter} says {splitter.folds_made} folds and makes {len(splits)}"
    for k, split in enumerate(splits):
        assert split.fold == k, f"{splitter} calls its split {k} fold {split.fold}"
        has_two_parts(splitter, split)
        is_disjoint(splitter, split)
        if data is not None and not splitter.predefined:
            is_complete(splitter, split, data)
        keeps_time(splitter, split)
    is_fixed_by_the_seed(splitter, splits, data, seed)
    if data is not None:
        assert data.fresh_digest() == before, f"{splitter} changed the ratings"
        does_not_depend_on_ids(splitter, splits, data, seed)


def has_two_parts(splitter: Splitter, split: Split) -> None:
    """Train and test hold ratings, and share the vocabularies."""
    for name, part in (("training", split.train), ("test", split.test)):
        assert len(part), f"{splitter}: the {name} set of fold {split.fold} is empty"
    assert split.train.users == split.test.users, f"{splitter}: train and test have different vocabularies of users"
    assert split.train.items == split.test.items, f"{splitter}: train and test have different vocabularies of items"


def is_disjoint(splitter: Splitter, split: Split) -> None:
    """No pair of user and item is in two parts."""
    parts = [_pairs(part) for part in (split.train, split.test, split.validation) if part is not None]
    together = np.concatenate(parts)
    shared = len(together) - len(np.unique(together))
    assert not shared, f"{splitter}: {shared} pairs of fold {split.fold} are in more than one part"


def is_complete(splitter: Splitter, split: Split, data: Interactions) -> None:
    """Every rating is in a part, or counted as dropped with a reason; values and times are those of the data."""
    parts = [part for part in (split.train, split.test, split.validation) if part is not None]
    dropped = sum(drop.count for drop in split.dropped)
    assert all(drop.reason for drop in split.dropped), f"{splitter} drops ratings without a reason"
    total = sum(map(len, parts)) + dropped
    assert total == len(data), f"{splitter}: fold {split.fold} accounts for {total} of {len(data)} ratings"
    pairs = _pairs(data)
    for part in parts:
        at = np.searchsorted(pairs, _pairs(part))
        in_data = at < len(pairs)
        in_data[in_data] = pairs[at[in_data]] == _pairs(part)[in_data]
        assert in_data.all(), f"{splitter}: {int((~in_data).sum())} pairs of fold {split.fold} are not in the data"
        assert (data.value[at] == part.value).all(), f"{splitter} changes values"
        if data.time is not None and part.time is not None:
            assert (data.time[at] == part.time).all(), f"{splitter} changes times"


def keeps_time(splitter: Splitter, split: Split) -> None:
    """What a split says of time holds: of each user's own ratings, or of all."""
    train, test = split.train, split.test
    if train.time is None or test.time is None:
        return
    if splitter.follows_time:
        last, first = np.full(train.n_users, -np.inf), np.full(train.n_users, np.inf)
        np.maximum.at(last, train.user, train.time)
        np.minimum.at(first, test.user, test.time)
        wrong = int((last > first).sum())
        assert not wrong, f"{splitter} follows time, yet {wrong} users have a training rating later than a test rating"
    if splitter.one_cut:
        assert train.time.max() < test.time.min(), f"{splitter} has one cut for all, yet trains on ratings later than tested"


def is_fixed_by_the_seed(splitter: Splitter, splits: list[Split], data: Interactions | None, seed: int) -> None:
    """The same seed gives the same parts, on one thread and on two."""
    for n in (1, 2):
        with threads.using(n):
            again = [split.digest for split in splitter.split(data, seed=seed)]
        assert again == [split.digest for split in splits], f"{splitter} gives other parts the second time, with {n} threads"


def does_not_depend_on_ids(splitter: Splitter, splits: list[Split], data: Interactions, seed: int) -> None:
    """Other ids in the same order change nothing."""
    if splitter.predefined:
        return
    for own, other in zip(splits, splitter.split(renamed(data), seed=seed), strict=True):
        same = np.array_equal(_pairs(own.train), _pairs(other.train)) and np.array_equal(
            _pairs(own.test), _pairs(other.test)
        )
        assert same, f"{splitter} depends on what users and items are called"


def _pairs(part: Interactions) -> np.ndarray:
    """One number for each (user, item), ascending."""
    return part.user.astype(np.int64) * part.n_items + part.item
