"""Lists made elsewhere: in order, repeated, met, tied, and averaged."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.kernels.lists import count_ties, first_repeat, in_order, mean_by_owner, mean_of_kinds, meet, sort_lists

NAN = np.nan
TIE = np.array([3, 2, 1, 0], np.int32)
"""Of equal scores, the item of the higher code comes first."""


def test_lists_are_sorted_by_score_and_then_by_the_tie_key() -> None:
    indptr = np.array([0, 3, 3, 7], np.int64)
    score, item = np.array([1.0, 2, 1, 5, 4, 4, 9]), np.array([3, 0, 1, 0, 1, 2, 3], np.int32)
    assert not in_order(indptr, score, item, TIE)
    sort_lists(indptr, score, item, TIE)
    assert item.tolist() == [0, 3, 1, 3, 0, 2, 1] and score.tolist() == [2, 1, 1, 9, 5, 4, 4]
    assert in_order(indptr, score, item, TIE)
    assert not in_order(np.array([0, 2], np.int64), np.array([1.0, 1]), np.array([1, 2], np.int32), TIE)


@pytest.mark.parametrize("length", [2, 20, 63, 64, 65])
@pytest.mark.parametrize("levels", [3, 10**9], ids=["tied", "distinct"])
def test_counting_and_sorting_give_one_order(length: int, levels: int) -> None:
    draw = np.random.default_rng(length)
    lists = 8
    score = draw.integers(0, levels, lists * length).astype(np.float64)
    score[1] = NAN  # comes last
    item = np.concatenate([draw.permutation(100)[:length] for _ in range(lists)]).astype(np.int32)
    tie = draw.permutation(100).astype(np.int32)
    order = np.lexsort((tie[item], -score, np.repeat(np.arange(lists), length)))
    wanted = score[order], item[order]
    sort_lists(np.arange(lists + 1) * length, score, item, tie)
    assert np.array_equal(score, wanted[0], equal_nan=True) and np.array_equal(item, wanted[1])


def test_a_repeat_counts_within_its_list_alone() -> None:
    indptr = np.array([0, 2, 5], np.int64)
    assert first_repeat(indptr, np.array([1, 2, 2, 1, 3], np.int32), 4) == -1
    assert first_repeat(indptr, np.array([1, 2, 2, 1, 2], np.int32), 4) == 4
    assert first_repeat(indptr, np.array([1, 2, -1, -1, 2], np.int32), 4) == -1  # items of no code may repeat


def test_rated_items_meet_their_ranks() -> None:
    """User 0 has the second list, user 1 none, user 2 the first; item 1 is rated by users 0 and 2."""
    indptr, item = np.array([0, 3, 6], np.int64), np.array([0, -1, 1, 1, 3, 2], np.int32)
    list_of = np.array([1, -1, 0], np.int64)
    rel_indptr, rel_item = np.array([0, 2, 3, 4], np.int64), np.array([1, 2, 0, 1], np.int32)
    row, rank, out = np.empty(5, np.int64), np.empty(5, np.int32), np.empty(4, np.int64)
    assert meet(indptr, item, list_of, rel_indptr, rel_item, 4, out, row, rank) == 3
    assert out.tolist() == [0, 2, 2, 3] and row[:3].tolist() == [0, 1, 3] and rank[:3].tolist() == [1, 3, 3]
    above, tied, score = np.empty(3, np.int32), np.empty(3, np.int32), np.empty(3)
    count_ties(indptr, np.array([9.0, 5, 5, 7, 7, 7]), list_of, out, rank, above, tied, score)
    assert (above.tolist(), tied.tolist(), score.tolist()) == ([0, 0, 1], [2, 2, 1], [7, 7, 5])


@pytest.mark.parametrize("weight", [np.empty(0), np.array([1.0, 3, 2, 5, 0])], ids=["alike", "weighed"])
def test_means_of_what_is_defined(weight: np.ndarray) -> None:
    owner, values = np.array([0, 0, 2, 2, 3], np.int32), np.array([1.0, 5, NAN, 4, 7])
    total, count = np.empty(4), np.empty(4)
    mean_by_owner(owner, values, weight, total, count)
    expected = [3.0, NAN, 4.0, 7.0] if not len(weight) else [(1 + 15) / 4, NAN, 4.0, NAN]
    np.testing.assert_array_equal(total, expected)
    by_kind = np.array([[1.0, NAN], [5.0, 2.0], [NAN, 0.0], [4.0, 1.0], [7.0, 3.0]])
    means, room = np.empty((4, 2)), np.empty((4, 2))
    mean_of_kinds(owner, np.arange(5), weight, by_kind, means, room)
    np.testing.assert_array_equal(means[:, 0], expected)
    assert means[0, 1] == 2.0
