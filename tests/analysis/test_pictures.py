"""Costly parts: pictures of the primary setting, curves and diagnostics."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import polars as pl
import pytest
from tests.analysis.tiny import part
from tests.reports.kept import PROTOCOL, facts_of, study_scores_of

import heldout as ho
from heldout.analysis.pictures import activity_groups, curve_rows
from heldout.analysis.rows import Setting
from heldout.catalogue import make
from heldout.metrics.measuring import measure
from heldout.tables import ProtocolKey
from heldout.tables.cell_scores import CellScores, Points
from heldout.testing.lists import judged_lists, random_lists

TEST = {"user": list("aaabbc"), "item": list("xyzxyx"), "rating": [5] * 6}
A = {"user": list("aaaabbbc"), "item": list("xpyzxqyx"), "score": [4, 3, 2, 1, 3, 2, 1, 1]}
B = {"user": list("aaaabbbc"), "item": list("pxyzqyxp"), "score": [4, 3, 2, 1, 3, 2, 1, 1]}


def test_users_who_gain_and_lose_are_those_of_the_pair() -> None:
    facts = facts_of(study_scores_of(), metrics="P@10", tests=["t"])
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
    facts = facts_of(study_scores_of(folds=folds), metrics="P@10", tests=["t"])
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
    absent = facts_of(study_scores_of(), metrics="P@10", tests=["t"]).pictures.absent
    assert absent["warm-users"] == "no tested user is without training ratings"
    assert absent["precision-recall"] and absent["roc"] and absent["item-popularity"] and absent["recommended-popularity"]


def test_pictures_are_those_of_the_first_protocol() -> None:
    options = {"train": {"user": list("abc"), "item": list("ppq"), "rating": [5] * 3}, "relevance": "threshold(4)"}
    first, both = (
        ho.evaluate(TEST, {"A": A, "B": B}, ["P@2", "RR"], ties=ties, **options).findings.pictures
        for ties in ("item", ["item", "trec"])
    )
    other = ho.evaluate(TEST, {"A": A, "B": B}, ["P@2", "RR"], target="TestItems", **options).findings.pictures
    mixed = ho.evaluate(TEST, {"A": A, "B": B}, ["P@2", "RR"], target=["AllItems", "TestItems"], **options).findings.pictures
    assert first.precision_recall and asdict(first) == asdict(both) == asdict(mixed)
    assert asdict(other) != asdict(first)


def test_one_number_for_a_system_has_no_pictures_of_users() -> None:
    results = ho.evaluate(TEST, {"A": A, "B": B}, "ItemCoverage@2", objectives="ItemCoverage@2", relevance="threshold(4)")
    absent = results.findings.pictures.absent
    assert absent["user-differences"] == absent["user-activity"] == "ItemCoverage@2 is one number for a whole system"


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
    (by_gender,) = [g for g in results.findings.pictures.groups if g.by == "user-gender"]
    lines = [line.split("|") for line in (folder / "u.user").read_text().splitlines()]
    women = {int(line[0]) for line in lines if line[2] == "F"}
    values = results.per_user().filter(pl.col("system") == "Popularity")
    mean = np.mean([v for user, v in zip(values["user_id"], values["P@10"], strict=True) if int(user) in women])
    k = by_gender.systems.index("Popularity")
    assert by_gender.values[k][by_gender.groups.index("F")] == pytest.approx(mean)
    assert {g.by for g in results.findings.pictures.groups} >= {
        "user-age",
        "user-occupation",
        "item-genres",
        "item-popularity",
    }


def setting(number: int, metric: str = "AUC", aggregate: str = "mean", protocol: ProtocolKey = PROTOCOL) -> Setting:
    return Setting(
        id=number,
        choices=asdict(protocol),
        metric=metric,
        aggregate=aggregate,
        undefined="zero",
        coverage="zero",
        label=metric,
        higher_is_better=True,
    )


def fold(number: int, x: tuple[float, ...], y: tuple[float, ...], system: str = "A") -> CellScores:
    points = Points(system=system, protocol=PROTOCOL, fold=number, metric="AUC", x_label="fpr", y_label="tpr", x=x, y=y)
    return part(system, {"AUC": [0.5]}, fold=number, curves=(points,))


def test_the_curve_of_one_fold_is_as_it_was_measured() -> None:
    (row,) = curve_rows([fold(0, (0.0, 0.3, 1.0), (0.0, 0.9, 1.0))], [setting(0)], ["A"])
    assert (row.setting, row.system, row.x_label, row.y_label) == (0, "A", "fpr", "tpr")
    assert (row.x, row.y) == ((0.0, 0.3, 1.0), (0.0, 0.9, 1.0))


def test_folds_are_averaged_at_the_same_x_where_all_have_points() -> None:
    """The diagonal, and a curve from (0.2, 0.6) to (0.8, 0.6): at 0.5 they are 0.5 and 0.6 high."""
    folds = [fold(0, (0.0, 1.0), (0.0, 1.0)), fold(1, (0.2, 0.4, 0.8), (0.6, 0.6, 0.6))]
    (row,) = curve_rows(folds, [setting(0)], ["A"])
    assert (row.x[0], row.x[-1], len(row.x)) == (pytest.approx(0.2), pytest.approx(0.8), 61)
    assert np.interp([0.2, 0.5, 0.8], row.x, row.y) == pytest.approx([0.4, 0.55, 0.7])


def test_a_fold_without_points_does_not_count() -> None:
    (row,) = curve_rows([fold(0, (), ()), fold(1, (0.0, 1.0), (0.0, 1.0))], [setting(0)], ["A"])
    assert (row.x, row.y) == ((0.0, 1.0), (0.0, 1.0))
    assert list(curve_rows([fold(0, (), ())], [setting(0)], ["A"])) == []


def test_one_curve_for_each_system_protocol_and_metric() -> None:
    parts = [fold(0, (0.0, 1.0), (0.0, 1.0), system) for system in ("A", "B")]
    settings = [
        setting(0),
        setting(1, aggregate="median"),  # the same curve
        setting(2, metric="P@10"),  # has none
        setting(3, protocol=replace(PROTOCOL, target="TestItems")),  # nor has another protocol
    ]
    assert [(row.setting, row.system) for row in curve_rows(parts, settings, ["B", "A"])] == [(0, "B"), (0, "A")]


def positions(depths: str) -> dict[str, tuple[tuple[float | None, ...], int]]:
    found = ho.evaluate(TEST, {"A": A, "B": B}, ["P@1", f"FullPosition@{depths}"], relevance="threshold(4)")
    return {row.metric: (row.values, row.users) for row in found.findings.diagnostics}


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
    alone, filled = (ho.run({**keys, "fallback": f}).findings.diagnostics[0] for f in ("none", "popularity"))
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
        both = [systems[s] for s in found.findings.systems]
        if not np.isnan(both).any():
            of_user.setdefault(user, []).append(both)
    expected = np.mean([np.mean(folds, axis=0) for folds in of_user.values()], axis=0)
    for k, row in enumerate(found.findings.diagnostics):
        assert row.values == pytest.approx(expected[:, k])
        assert row.users == len(of_user)
