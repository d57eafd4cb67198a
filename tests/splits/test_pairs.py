"""Pairs of one part met in another."""

from __future__ import annotations

import numpy as np
import pytest
from tests.splits.tiny import rows

from heldout.errors import InputError
from heldout.splits.pairs import refuse_overlap, rows_among, without_overlap
from heldout.tables import Dropped, Split

TRAIN, TEST = rows([0, 1, 3], [1, 2, 3], None), rows([0, 1, 2], [2, 2, 1], None)
"""The pair (1, 2) is in both."""


def test_rows_of_the_same_pairs_are_found() -> None:
    assert rows_among(TEST, TRAIN).tolist() == [-1, 1, -1]
    assert rows_among(TRAIN, TEST).tolist() == [-1, 1, -1]
    assert rows_among(TRAIN, TRAIN).tolist() == [0, 1, 2]
    assert rows_among(TEST, TRAIN.select(np.zeros(3, dtype=np.bool_))).tolist() == [-1] * 3


def test_an_overlap_is_refused_with_its_first_pair() -> None:
    with pytest.raises(InputError, match=r"b: 1 \(user, item\) pairs are also in a \(first: user 1, item 2\)"):
        refuse_overlap(TRAIN, TEST, "a", "b")
    refuse_overlap(TRAIN, rows([0], [2], None), "a", "b")


def test_common_pairs_stay_in_the_part_that_is_named() -> None:
    split = Split(train=TRAIN, test=TEST, dropped=(Dropped("before", 4),))
    in_train, in_test = without_overlap(split, keep="train"), without_overlap(split, keep="test")
    assert (len(in_train.train), len(in_train.test)) == (3, 2) and (len(in_test.train), len(in_test.test)) == (2, 3)
    assert in_train.dropped == (Dropped("before", 4), Dropped("pairs of test that are in train too", 1))
    assert in_test.dropped[1] == Dropped("pairs of train that are in test too", 1)
    disjoint = Split(train=TRAIN, test=rows([0], [2], None))
    assert without_overlap(disjoint, keep="train") is disjoint
