"""Ranked lists: lengths, and a digest of all that they hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heldout.tables import Rankings

LISTS = Rankings(
    np.array([1, 4, 7], np.int32),
    np.array([0, 2, 2, 3], np.int64),
    np.array([5, -1, 0], np.int32),
    np.array([0.9, 0.1, 0.5]),
)


def test_lengths_of_lists_also_of_empty_ones() -> None:
    assert len(LISTS) == 3 and LISTS.length.tolist() == [2, 0, 1]
    assert LISTS.headline() == "3 lists of 3 items in all"


def test_whatever_changes_is_another_digest() -> None:
    changes = [
        replace(LISTS, users=np.array([1, 4, 8], np.int32)),
        replace(LISTS, indptr=np.array([0, 1, 2, 3], np.int64)),
        replace(LISTS, item=LISTS.item[::-1]),
        replace(LISTS, score=LISTS.score + 1e-9),
    ]
    assert len({LISTS.digest, *(changed.digest for changed in changes)}) == 5
    assert replace(LISTS, item=LISTS.item.copy()).digest == LISTS.digest
