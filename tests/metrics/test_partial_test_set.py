"""Lists judged as if some test ratings had never been made: by hand, and as if the smaller test set had been judged."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.metrics.judge import judge_rankings
from heldout.metrics.measuring import measure
from heldout.metrics.partial_test_set import judge_kept, keep_ratings
from heldout.tables import Judged, Rankings, Relevance
from heldout.tables.arrays import frozen

ITEMS = 12
METRICS = [make("metric", text) for text in ("P@3", "nDCG@5", "AP", "bpref", "AUC", "RPrecision")]


def relevance_of(rated: list[list[int]], grades: list[list[int]]) -> Relevance:
    grade = np.concatenate([np.array(row, np.float64) for row in grades])
    return Relevance(
        users=frozen(np.arange(len(rated)), np.int32),
        indptr=frozen(np.cumsum([0, *map(len, rated)]), np.int64),
        item=frozen(np.concatenate(rated), np.int32),
        grade=frozen(grade, np.float64),
        relevant=frozen(grade >= 4, np.bool_),
        top_grade=5.0,
    )


def judged_lists(relevance: Relevance, lists: np.ndarray) -> Judged:
    users, length = lists.shape
    rankings = Rankings(
        frozen(np.arange(users), np.int32),
        frozen(np.arange(users + 1) * length, np.int64),
        frozen(lists.ravel(), np.int32),
        frozen(np.tile(-np.arange(length, dtype=np.float64), users), np.float64),
    )
    return judge_rankings(rankings, relevance, n_items=ITEMS, targets=np.full(users, ITEMS, np.int32), keep_lists=False)


def test_what_is_left_out_is_unrated_and_nothing_moves() -> None:
    relevance = relevance_of([[0, 2, 5]], [[5, 1, 4]])
    judged = judged_lists(relevance, np.array([[0, 1, 5, 2]]))  # the ratings are at ranks 1, 3 and 4
    kept = np.array([False, True, True])
    smaller = keep_ratings(relevance, kept)
    assert smaller.item.tolist() == [2, 5]
    again = judge_kept(judged, kept, smaller)
    assert again.rank.tolist() == [3, 4]
    assert again.row.tolist() == [1, 0]  # item 5, then item 2
    assert measure(again, [make("metric", "RR")], target=make("target", "AllItems")).values[0, 0] == pytest.approx(1 / 3)


def test_lists_of_rated_items_alone_close_up() -> None:
    relevance = relevance_of([[0, 2, 5]], [[5, 1, 4]])
    judged = judged_lists(relevance, np.array([[0, 5, 2]]))
    kept = np.array([False, True, True])
    again = judge_kept(judged, kept, keep_ratings(relevance, kept), rated_alone=True)
    assert again.rank.tolist() == [1, 2]


@pytest.mark.parametrize("seed", range(5))
def test_the_same_as_judging_the_smaller_test_set(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rated = [np.sort(draw.choice(ITEMS, 5, replace=False)).tolist() for _ in range(6)]
    grades = [draw.integers(1, 6, 5).tolist() for _ in range(6)]
    lists = np.stack([draw.permutation(ITEMS)[:8] for _ in range(6)])
    relevance = relevance_of(rated, grades)
    kept = draw.random(30) < 0.6
    smaller = relevance_of(
        [[i for i, k in zip(row, kept[5 * u :], strict=False) if k] for u, row in enumerate(rated)],
        [[g for g, k in zip(row, kept[5 * u :], strict=False) if k] for u, row in enumerate(grades)],
    )
    again = judge_kept(judged_lists(relevance, lists), kept, keep_ratings(relevance, kept))
    target = make("target", "AllItems")
    np.testing.assert_array_equal(
        measure(again, METRICS, target=target).values, measure(judged_lists(smaller, lists), METRICS, target=target).values
    )
