"""Pictures of the primary setting: the numbers behind them."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.reports.kept import facts_of, outcome_of

import heldout as ho
from heldout.analysis.pictures import activity_groups


def test_users_who_gain_and_lose_are_those_of_the_pair() -> None:
    facts = facts_of(outcome_of(), metrics="P@10", tests=["t"])
    drawn = facts.pictures.differences
    row = facts.verdict.rows[0]
    (pair,) = [p for p in facts.comparisons if {p.a, p.b} == {row.leader, row.rival}]
    pair = pair if pair.a == row.leader else pair.flipped()
    assert (drawn.a, drawn.b, drawn.users) == (row.leader, row.rival, pair.users)
    assert (drawn.wins, drawn.ties, drawn.losses) == (pair.wins, pair.ties, pair.losses)
    total = drawn.wins * (drawn.gain or 0) + drawn.losses * (drawn.loss or 0)
    assert total / drawn.users == pytest.approx(pair.difference)
    assert list(drawn.curve) == sorted(drawn.curve, reverse=True) and len(drawn.curve) == 40
    assert sum(drawn.curve) / 40 == pytest.approx(pair.difference)


def test_groups_of_activity_hold_quartiles_and_keep_equal_numbers_together() -> None:
    groups = activity_groups(np.array([0.0, 1, 2, 2, 3, 9]))
    assert {name: np.flatnonzero(rows).tolist() for name, rows in groups.items()} == {
        "0": [0],
        "1–2": [1, 2, 3],  # of the five others, a quarter and a half lie at 2
        "3": [4],
        "9": [5],
    }
    assert list(activity_groups(np.full(4, 7.0))) == ["7"]
    assert list(activity_groups(np.zeros(2))) == ["0"]


@pytest.mark.parametrize("folds", [1, 2])
def test_values_of_groups_average_to_the_value_of_all(folds: int) -> None:
    facts = facts_of(outcome_of(folds=folds), metrics="P@10", tests=["t"])
    (activity,) = [g for g in facts.pictures.groups if g.by == "user-activity"]
    assert sum(activity.users) == 40 and len(activity.groups) == 4
    for k, system in enumerate(activity.systems):
        mean = np.dot(activity.users, activity.values[k]) / 40
        (value,) = [row.value for row in facts.leaderboard if row.system == system]
        assert mean == pytest.approx(value)
        assert all(
            low < value < high
            for low, value, high in zip(activity.low[k], activity.values[k], activity.high[k], strict=True)
        )


def test_what_is_not_drawn_has_a_reason() -> None:
    absent = facts_of(outcome_of(), metrics="P@10", tests=["t"]).pictures.absent
    assert absent["warm-users"] == "no tested user is without training ratings"
    assert absent["precision-recall"] and absent["roc"] and absent["item-popularity"] and absent["recommended-popularity"]


def test_groups_of_users_are_those_of_a_column(real_data) -> None:
    """ML-100K: the value of women and of men, from the values per user and the table of users by themselves."""
    folder = real_data("ml-100k")
    study = {
        "data": str(folder),
        "split": "ratio(train=0.8, by=user)",
        "relevance": "threshold(4)",
        "recommend": ["Popularity", "Random"],
        "metrics": ["P@10"],
        "compare": ["t"],
    }
    results = ho.run(study, progress=False)
    (by_gender,) = [g for g in results.facts.pictures.groups if g.by == "user-gender"]
    lines = [line.split("|") for line in (folder / "u.user").read_text().splitlines()]
    women = {int(line[0]) for line in lines if line[2] == "F"}
    values = results.per_user().filter(pl.col("system") == "Popularity")
    mean = np.mean([v for user, v in zip(values["user_id"], values["P@10"], strict=True) if int(user) in women])
    k = by_gender.systems.index("Popularity")
    assert by_gender.values[k][by_gender.groups.index("F")] == pytest.approx(mean)
    assert {g.by for g in results.facts.pictures.groups} >= {"user-age", "user-occupation", "item-genres", "item-popularity"}
