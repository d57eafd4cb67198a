"""Rows by their codes, against numpy's own sorts."""

from __future__ import annotations

import numpy as np

from heldout.tables.ordering import counted, order_of, pair_order, repeated, summed, taken


def test_equal_codes_keep_their_order() -> None:
    codes = np.array([2, 0, 2, 1, 0])
    starts = counted(codes, 4)
    assert starts.tolist() == [0, 2, 3, 5, 5]
    assert order_of(codes, starts).tolist() == [1, 4, 3, 0, 2]
    assert starts.tolist() == [0, 2, 3, 5, 5]  # as they were


def test_pairs_are_ordered_as_by_a_stable_sort() -> None:
    draw = np.random.default_rng(1)
    user, item = draw.integers(0, 9, 200), draw.integers(0, 7, 200)
    order = pair_order(user, item, 9, 7)
    assert order is not None and order.tolist() == np.lexsort((item, user)).tolist()
    count, first = repeated(user, item, order)
    pairs = list(zip(user.tolist(), item.tolist(), strict=True))
    assert count == 200 - len(set(pairs))
    assert pairs.index(pairs[first]) < first  # the row repeats an earlier one


def test_rows_that_are_sorted_already_need_no_order() -> None:
    assert pair_order(np.array([0, 0, 1]), np.array([1, 2, 0]), 2, 3) is None
    assert pair_order(np.array([], dtype=np.int64), np.array([], dtype=np.int64), 2, 3) is None
    assert pair_order(np.array([0, 0]), np.array([1, 1]), 1, 2) is not None  # sorted, but not distinct


def test_taken_rows_keep_their_type() -> None:
    values = np.array([0.5, np.nan, 2.0], dtype=np.float32)
    rows = taken(values, np.array([2, 0, 2], dtype=np.int32))
    assert rows.dtype == np.float32 and rows.tolist() == [2.0, 0.5, 2.0]


def test_sums_are_those_of_numpy() -> None:
    draw = np.random.default_rng(4)
    codes, values = draw.integers(0, 9, 500).astype(np.int32), draw.random(500)
    assert np.array_equal(summed(codes, values, 12), np.bincount(codes, values, 12))
