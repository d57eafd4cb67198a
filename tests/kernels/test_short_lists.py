"""Ranks in short lists, by hand, and equal scores in a drawn order."""

from __future__ import annotations

import numpy as np

from heldout.kernels.ranks import draw_of
from heldout.kernels.short_lists import rank_lists, scores_of_rows, shuffle_ties

NAN = np.nan
SCORES = np.array([[0.9, 0.5, 0.5, NAN, NAN, 0.1]], np.float32)
"""Of items 0 to 5; items 3 and 4 cannot be scored."""


def ranks(row_item: list[int], *, inside: list[bool], key: int = 0) -> tuple[list[list[int]], ...]:
    """Ranks of rated items in the list 0, 1, 2, 3, 5, without a fallback and with one that likes item 4 better than 3."""
    n = len(row_item)
    fallback = np.full((2, 6), NAN, np.float32)
    fallback[1] = [0, 0, 0, 1, 2, 0]
    rank, above, tied = (np.zeros((2, n), np.int32) for _ in range(3))
    computed = np.zeros(1, np.int32)
    rank_lists(
        SCORES, np.array([7], np.int32), np.arange(6, dtype=np.int32), np.uint64(key), np.array([0, 5], np.int64),
        np.array([0, 1, 2, 3, 5], np.int32), np.array([0, n], np.int64), np.array(row_item, np.int32),
        np.zeros(n, np.int64), np.array(inside), fallback, 0, rank, above, tied, computed,
    )  # fmt: skip
    assert computed.tolist() == [4]
    return rank.tolist(), above.tolist(), tied.tolist()


def test_ranks_above_and_ties_in_a_list() -> None:
    """2 ties with 1 and comes after it; 3 is ranked by the fallback alone, after the four that are scored."""
    rank, above, tied = ranks([2, 3, 5], inside=[True, True, True])
    assert rank == [[3, 0, 4], [3, 5, 4]]
    assert above[1] == [1, 4, 3] and tied[1] == [1, 0, 0]


def test_an_item_beside_the_list_is_ranked_as_if_it_stood_in_it() -> None:
    rank, above, _ = ranks([4], inside=[False])
    assert rank == [[0], [5]] and above[1] == [4]  # before item 3, which the fallback likes less


def test_draws_order_equal_scores() -> None:
    for key in (1, 3, 5, 7, 9, 11):
        rank, _, tied = ranks([1, 2], inside=[True, True], key=key)
        first = draw_of(np.uint64(key), np.int32(7), np.int32(1)) < draw_of(np.uint64(key), np.int32(7), np.int32(2))
        assert rank[0] == ([2, 3] if first else [3, 2]) and tied[0] == [1, 1]


def test_only_equal_scores_are_shuffled_and_the_order_of_rows_plays_no_part() -> None:
    indptr, users = np.array([0, 4, 6], np.int64), np.array([3, 8], np.int32)
    score = np.array([9.0, 5, 5, 5, 2, 1])
    orders = []
    for items in ([0, 1, 2, 3, 4, 5], [0, 3, 1, 2, 4, 5]):
        item = np.array(items, np.int32)
        shuffle_ties(indptr, users, score, item, np.uint64(13))
        orders.append(item.tolist())
    assert orders[0] == orders[1]
    assert orders[0][0] == 0 and orders[0][4:] == [4, 5] and set(orders[0][1:4]) == {1, 2, 3}


def test_scores_of_the_rows_of_a_tile() -> None:
    out = np.empty(3)
    scores_of_rows(np.array([[1.0, 2], [3, 4]]), np.array([0, 1, 3], np.int64), np.array([1, 0, 1], np.int32), out)
    assert out.tolist() == [2, 3, 4]
