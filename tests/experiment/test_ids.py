"""Ids are only names: whatever they are made of, the numbers are those of the same data under plain names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.splits.test_splits import EVERY

import heldout as ho
from heldout.data.frames import log_from_frame

HARD = [
    "u01", "u01: x", "fold 1: u01", "fold 2: u01: x", ": ", ":", "::", " | ", "|", ",", ";", "\t", "\n", "\r\n", "\u2028",
    "'", '"', '""', "`", "[", "]", "(", ")", "{", "}", "<b>", "&amp;", "\\", "/", "../x", "%s", "=", "@", "#", "*", "~",
    "\u200e", "\u200f", "\u202e", "\u2066", "\u200b", "\x1f", "\x1e", "a b", "a\u00a0b", "é", "e\u0301", "null", "NaN", "-0",
]  # fmt: skip
"""Separators, quotes, brackets, marks of direction, and what text forms are made of."""
ITEMS = [f"{mark}{n}" for n, mark in enumerate(HARD[:30])]


def ratings(users: list[str], items: list[str]) -> pl.DataFrame:
    """The same ratings under any names: the k-th user and item in ascending order."""
    users, items = sorted(users), sorted(items)
    draw = np.random.default_rng(7)
    rows = [(u, i) for u in range(len(users)) for i in np.flatnonzero(draw.random(len(items)) < 0.5)]
    draw.shuffle(rows)
    user, item = zip(*rows, strict=True)
    return pl.DataFrame(
        {
            "user": [users[u] for u in user],
            "item": [items[i] for i in item],
            "rating": draw.integers(1, 6, len(rows)),
            "time": np.arange(len(rows)) // 2,
        }
    )


HARD_RATINGS = ratings(HARD, ITEMS)
PLAIN_RATINGS = ratings([f"user {n:03}" for n in range(len(HARD))], [f"item {n:03}" for n in range(len(ITEMS))])


def study(data: pl.DataFrame, split: str, **keys: Any) -> dict[str, Any]:
    return {
        "data": data,
        "split": split,
        "relevance": "threshold(4)",
        "recommend": ["Popularity", "UserKNN(k=5)"],
        "metrics": ["P@5", "nDCG(gain=binary)@5"],
        "compare": ["t", "permutation(samples=100)"],
        **keys,
    }


def numbers(results: ho.Results) -> list[pl.DataFrame]:
    """All that is concluded, and the values of the users in their order without their names."""
    return [
        results.tables["all-leaderboards"].frame,
        results.tables["all-comparisons"].frame,
        results.per_user().drop("user_id", "data"),
    ]


@pytest.mark.parametrize("split", EVERY)
def test_ids_change_no_number_under_any_split(split: str, tmp_path: Path) -> None:
    plain = ho.run(study(PLAIN_RATINGS, split))
    hard = ho.run(study(HARD_RATINGS, split), out=tmp_path / "kept")
    for one, other in zip(numbers(plain), numbers(hard), strict=True):
        assert one.equals(other)
    assert set(hard.per_user()["user_id"]) <= set(HARD)
    for folds in ("average", "pooled"):
        kept = ho.compare(tmp_path / "kept", {"folds": folds})
        again = ho.compare(plain, {"folds": folds})
        assert kept.tables["all-leaderboards"].frame.equals(again.tables["all-leaderboards"].frame) and kept.tables[
            "all-comparisons"
        ].frame.equals(again.tables["all-comparisons"].frame)


@pytest.mark.parametrize("folds", ["average", "pooled"])
def test_each_user_counts_in_each_fold_that_tests_them(folds: str) -> None:
    results = ho.run(study(HARD_RATINGS, "folds(3)", compare={"tests": ["t"], "folds": folds}))
    tested = results.per_user().filter(pl.col("system") == "Popularity")
    many = len(tested) if folds == "pooled" else tested["user_id"].n_unique()
    assert set(results.tables["all-leaderboards"].frame["users_averaged"]) == {many}


@pytest.mark.parametrize("folds", ["average", "pooled"])
def test_users_are_weighed_by_a_table_in_every_fold(folds: str, tmp_path: Path) -> None:
    pl.DataFrame({"user_id": HARD, "age": np.arange(1, len(HARD) + 1)}).write_parquet(tmp_path / "users.parquet")
    weighed = f'mean(weight=age, table="{tmp_path / "users.parquet"}")'
    results = ho.run(
        study(HARD_RATINGS, "folds(3)", metrics="P@5", aggregate=weighed, compare={"tests": ["t"], "folds": folds})
    )
    tested = results.per_user().filter(pl.col("system") == "Popularity")
    if folds == "average":
        tested = tested.group_by("user_id").agg(pl.col("P@5").mean())
    age = {user: k + 1 for k, user in enumerate(HARD)}
    weights = [age[user] for user in tested["user_id"]]
    value = results.tables["all-leaderboards"].frame.filter(pl.col("system") == "Popularity")["value"][0]
    assert value == pytest.approx(np.average(tested["P@5"], weights=weights))


def test_ids_change_no_number_of_a_multiverse(tmp_path: Path) -> None:
    tables = []
    for data in (PLAIN_RATINGS, HARD_RATINGS):
        found = ho.multiverse(study(data, "folds(3)", coverage=["zero", "forgive"], compare=["t"]))
        tables.append(found.tables["universes"].frame.drop("data", strict=False))
    assert tables[0].equals(tables[1])


def test_a_saved_split_keeps_every_id(tmp_path: Path) -> None:
    data = log_from_frame(HARD_RATINGS).interactions()
    ho.split(data, "folds(3)", seed=1, out=tmp_path / "saved")
    keys = study(HARD_RATINGS, "folds(3)")
    direct, kept = ho.run(keys), ho.run({**keys, "data": None, "split": f'saved("{tmp_path / "saved"}")'})
    assert kept.tables["all-leaderboards"].frame["value"].equals(direct.tables["all-leaderboards"].frame["value"])
