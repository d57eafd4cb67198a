"""Lists met with relevance."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from heldout.catalogue import make
from heldout.metrics.judge import entries_by_rank, judge_rankings
from heldout.tables import Interactions, Judged, Rankings, Vocabulary


def test_entries_are_put_in_order_of_rank() -> None:
    draw = np.random.default_rng(3)
    sizes = [0, 1, 5, 40, 200, 64, 65]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    apart = np.concatenate([draw.permutation(1000)[:n] + 1 for n in sizes]).astype(np.int32)
    equal = np.concatenate([draw.integers(1, 9, n) for n in sizes]).astype(np.int32)
    for rank in (apart, equal):
        want = np.concatenate([low + np.argsort(rank[low:high], kind="stable") for low, high in pairwise(indptr)])
        assert entries_by_rank(indptr, rank).tolist() == want.tolist()


USERS, ITEMS = Vocabulary.numbered(9), Vocabulary.numbered(6)
TEST = Interactions.build(USERS, ITEMS, np.array([2, 2, 5, 8]), np.array([0, 3, 1, 4]), np.array([5.0, 1, 4, 5]))
RELEVANCE = make("relevance", "threshold(4)").judge(TEST, np.array([2, 5, 8]), 5.0)


def lists(**of_user: list[tuple[int, float]]) -> Rankings:
    """Lists of items with their scores, by user: u2, u7, …"""
    rows = list(of_user.values())
    return Rankings(
        np.array([int(name[1:]) for name in of_user], np.int32),
        np.array([0, *np.cumsum([len(row) for row in rows])], np.int64),
        np.array([item for row in rows for item, _ in row], np.int32),
        np.array([score for row in rows for _, score in row], np.float64),
    )


def judged(rankings: Rankings, **options: bool) -> Judged:
    return judge_rankings(rankings, RELEVANCE, n_items=6, targets=np.full(3, 6, np.int32), **options)


def test_users_meet_their_own_list_or_none() -> None:
    """User 7 is not tested, user 5 has no list, and item −1 of user 8 is known to nobody."""
    outcome = judged(lists(u2=[(3, 9), (2, 5), (0, 5)], u7=[(1, 1)], u8=[(-1, 3), (4, 2)]), keep_lists=True)
    assert outcome.length.tolist() == [3, 0, 2] and outcome.list_of.tolist() == [0, 0, 2]
    assert outcome.rank.tolist() == [1, 3, 2] and outcome.grade.tolist() == [1, 5, 5]
    assert outcome.above.tolist() == [0, 1, 1] and outcome.tied.tolist() == [0, 1, 0]  # items 2 and 0 share a score
    assert outcome.relevant_targets.tolist() == [1, 1, 1]
    assert outcome.lists is not None and outcome.lists.users.tolist() == [2, 5, 8]
    assert outcome.lists.length.tolist() == [3, 0, 2] and outcome.lists.item.tolist() == [3, 2, 0, -1, 4]


def test_without_scores_ties_are_not_counted() -> None:
    outcome = judged(lists(u2=[(3, 9), (0, 9)]), scored=False)
    assert outcome.score is None and outcome.rank.tolist() == [1, 2]
    assert outcome.above.tolist() == [0, 1] and outcome.tied.tolist() == [-1, -1]
    assert outcome.lists is None


def test_users_of_the_run_alone_judge_nothing() -> None:
    outcome = judged(lists(u0=[(3, 9)], u7=[(0, 1)]))
    assert outcome.length.tolist() == [0, 0, 0] and len(outcome.rank) == 0
