"""Whom a diagnostic is averaged over."""

from __future__ import annotations

import numpy as np
import pytest

import heldout as ho
from heldout.catalogue import make
from heldout.metrics.measuring import measure
from heldout.testing.lists import judged_lists, random_lists

TEST = {"user": list("aaabbc"), "item": list("xyzxyx"), "rating": [5] * 6}
A = {"user": list("aaaabbbc"), "item": list("xpyzxqyx"), "score": [4, 3, 2, 1, 3, 2, 1, 1]}
B = {"user": list("aaaabbbc"), "item": list("pxyzqyxp"), "score": [4, 3, 2, 1, 3, 2, 1, 1]}


def positions(depths: str) -> dict[str, tuple[tuple[float | None, ...], int]]:
    found = ho.evaluate(TEST, {"A": A, "B": B}, ["P@1", f"FullPosition@{depths}"], relevance="threshold(4)")
    return {row.metric: (row.values, row.users) for row in found.facts.diagnostics}


def test_positions_are_of_the_same_users_at_every_depth() -> None:
    """a has three test items in both lists, at ranks 1, 3, 4 and 2, 3, 4; b has two, at 1, 3 and 2, 3."""
    assert positions("[1, 2, 3]") == {
        "FullPosition@1": ((1.0, 2.0), 1),
        "FullPosition@2": ((3.0, 3.0), 1),
        "FullPosition@3": ((4.0, 4.0), 1),
    }
    assert positions("[1, 2]") == {"FullPosition@1": ((1.0, 2.0), 2), "FullPosition@2": ((3.0, 3.0), 2)}
    assert positions("1") == {"FullPosition@1": ((1.0, 2.0), 2)}  # B does not rank the test item of c


def test_positions_fall_with_no_depth() -> None:
    judged = judged_lists(*random_lists(5))
    depths = [make("metric", f"FullPosition@{d}") for d in (1, 2, 3, 4)]
    found = measure(judged, depths).values
    met = np.diff(judged.indptr)
    assert (np.isnan(found) == (np.arange(1, 5) > met[:, None])).all()
    assert (np.diff(found[met >= 4], axis=1) > 0).all()
    for k in np.flatnonzero(met >= 2)[:10]:
        assert found[k, 1] == judged.rank[judged.indptr[k] + 1]


def test_what_a_fallback_ranks_has_no_position() -> None:
    keys = {
        "data": "simulate(users=80, items=60, ratings=900)",
        "split": "ratio(train=0.6)",
        "recommend": ["UserKNN(k=1)"],
        "metrics": ["P@5", "FullPosition@2"],
    }
    alone, filled = (ho.run({**keys, "fallback": f}).facts.diagnostics[0] for f in ("none", "popularity"))
    assert alone.values == pytest.approx(filled.values)
    assert alone.users == filled.users < 80


def test_over_folds_users_have_a_value_in_each_fold_that_counts() -> None:
    found = ho.run(
        {
            "data": "simulate(users=80, items=60, ratings=900)",
            "split": "folds(3)",
            "recommend": ["Popularity", "UserKNN(k=3)"],
            "metrics": ["P@5", "FullPosition@1", "FullPosition@4"],
            "compare": "t",
        }
    )
    columns = ("FullPosition@1", "FullPosition@4")
    cells: dict[tuple[int, object], dict[str, list[float]]] = {}
    for row in found.per_user().iter_rows(named=True):
        cells.setdefault((row["fold"], row["user_id"]), {})[row["system"]] = [row[c] for c in columns]
    of_user: dict[object, list[list[list[float]]]] = {}
    for (_, user), systems in cells.items():
        both = [systems[s] for s in found.facts.systems]
        if not np.isnan(both).any():
            of_user.setdefault(user, []).append(both)
    expected = np.mean([np.mean(folds, axis=0) for folds in of_user.values()], axis=0)
    for k, row in enumerate(found.facts.diagnostics):
        assert row.values == pytest.approx(expected[:, k])
        assert row.users == len(of_user)
