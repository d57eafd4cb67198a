"""Pairs of one part met in another."""

from __future__ import annotations

import numpy as np
import pytest
from tests.splits.tiny import rows

from heldout.errors import InputError
from heldout.splits.pairs import found_pairs, pairs_of, refuse_overlap, without_overlap
from heldout.tables import Dropped, Split

TRAIN, TEST = rows([0, 1, 3], [1, 2, 3], None), rows([0, 1, 2], [2, 2, 1], None)
"""The pair (1, 2) is in both; (0, 2) and (1, 0) would be one number if users and items were simply added."""


def test_pairs_are_distinct_numbers_in_the_order_of_rows() -> None:
    assert pairs_of(TRAIN).tolist() == [1, 6, 15]
    at, met = found_pairs(pairs_of(TEST), pairs_of(TRAIN))
    assert met.tolist() == [False, True, False] and at[1] == 1
    beyond = found_pairs(np.array([99]), pairs_of(TRAIN))[1]
    assert beyond.tolist() == [False]
    assert found_pairs(pairs_of(TEST), np.array([], np.int64))[1].tolist() == [False] * 3


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
