"""Runs put in order: by score, then by the tie rule; who and what is left out is counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from heldout.catalogue import make
from heldout.errors import InputError
from heldout.tables import Interactions, Rankings, Vocabulary
from heldout.targets.runs import RunCounts, rank_run

USERS, ITEMS = Vocabulary.of(pl.Series(["u", "v", "w"])), Vocabulary.of(pl.Series(["a", "b", "c", "d"]))


def ranked(rows: list[tuple[str, str, float]], ties: str = "item", **options: Any) -> tuple[Rankings, RunCounts]:
    user, item, score = zip(*rows, strict=True) if rows else ((), (), ())
    return rank_run(
        pl.Series(user, dtype=pl.String),
        pl.Series(item, dtype=pl.String),
        np.array(score, dtype=float),
        users=USERS,
        items=ITEMS,
        ties=make("ties", ties),
        **options,
    )


def lists(rankings: Rankings) -> dict[str, str]:
    starts = rankings.indptr
    return {
        str(USERS.ids[user]): "".join(ITEMS.decode(rankings.item[starts[k] : starts[k + 1]]))
        for k, user in enumerate(rankings.users)
    }


def test_rows_in_any_order_become_lists_by_score() -> None:
    rankings, counts = ranked([("w", "a", 1), ("u", "b", 1), ("w", "c", 3), ("u", "d", 2), ("u", "a", -1)])
    assert lists(rankings) == {"u": "dba", "w": "ca"} and counts == RunCounts(0, 0)
    assert rankings.score.tolist() == [2, 1, -1, 3, 1]


@pytest.mark.parametrize(("ties", "order"), [("item", "abcd"), ("trec", "dcba"), ("file", "cadb"), ("expected", "abcd")])
def test_equal_scores_follow_the_tie_rule(ties: str, order: str) -> None:
    rankings, _ = ranked([("u", item, 0.5) for item in "cadb"], ties)
    assert lists(rankings) == {"u": order}


def test_trec_order_compares_in_single_precision() -> None:
    """1e-9 more is the same score to trec_eval, and b comes first as the higher id."""
    rows = [("u", "a", 1 + 1e-9), ("u", "b", 1.0)]
    assert lists(ranked(rows, "trec")[0]) == {"u": "ba"} and lists(ranked(rows)[0]) == {"u": "ab"}


def test_random_order_is_drawn_for_each_user_and_keeps_scores_in_order() -> None:
    rows = [(user, item, score) for user in "uvw" for item, score in zip("abcd", (1, 1, 1, 2), strict=True)]
    orders = [lists(ranked(rows, f"random({seed})")[0]) for seed in range(8)]
    assert all(order[0] == "d" and set(order) == set("abcd") for drawn in orders for order in drawn.values())
    assert any(len(set(drawn.values())) > 1 for drawn in orders)
    assert orders[3] == lists(ranked(rows, "random(3)")[0])


def test_users_who_are_not_tested_are_left_out_and_counted() -> None:
    rows = [("u", "a", 1), ("x", "a", 1), ("v", "b", 1), ("x", "b", 2)]
    assert ranked(rows)[1].unknown_users == 1
    rankings, counts = ranked(rows, tested=np.array([True, False, False]))
    assert lists(rankings) == {"u": "a"} and counts.unknown_users == 2
    with pytest.raises(InputError, match=r"mine: none of its 2 users is in the test set \(first: x\)"):
        ranked([("x", "a", 1), ("y", "a", 1)], name="mine")


def test_training_items_are_dropped_and_counted() -> None:
    train = Interactions.build(USERS, ITEMS, np.array([0, 2]), np.array([1, 3]), np.ones(2))
    rankings, counts = ranked([("u", "b", 2), ("u", "d", 1), ("v", "b", 1), ("w", "d", 1)], train=train)
    assert lists(rankings) == {"u": "d", "v": "b"} and counts.training == 2
    nothing = Interactions.build(USERS, ITEMS, np.array([], int), np.array([], int), np.array([]))
    assert ranked([("u", "b", 2)], train=nothing)[1].training == 0


def test_two_scores_of_a_pair_and_no_rows_are_refused() -> None:
    with pytest.raises(InputError, match="two scores for user v and item c"):
        ranked([("v", "c", 1), ("u", "c", 1), ("v", "c", 2)])
    with pytest.raises(InputError, match="no recommendations"):
        ranked([])
