"""Warnings about runs and failures, word by word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.heavy import heavy

import heldout as ho
from heldout.experiment.failure import Failure, about_failures
from heldout.experiment.notices import about_run
from heldout.study.file import study_from
from heldout.targets.runs import RunCounts
from heldout.text.phrases import sentence

SYSTEMS = ["Popularity", "EASE", "WRMF(factors=3, iterations=2)", "ItemKNN", "PureSVD(factors=3)"]


@pytest.mark.parametrize(
    ("counts", "messages"),
    [
        (RunCounts(unknown_users=0, training=0), {}),
        (RunCounts(unknown_users=0, training=1), {"HO101": "A ranks 1 training item, which was dropped"}),
        (RunCounts(unknown_users=1, training=0), {"HO104": "A has a list of 1 user who is not tested"}),
        (
            RunCounts(unknown_users=1200, training=2000),
            {
                "HO101": "A ranks 2,000 training items; they were dropped",
                "HO104": "A has lists of 1,200 users who are not tested",
            },
        ),
    ],
)
def test_a_run_is_told_what_of_it_was_not_used(counts: RunCounts, messages: dict[str, str]) -> None:
    assert {notice.code: notice.message for notice in about_run("A", counts)} == messages


def test_each_failed_system_is_told_once_with_its_first_reason() -> None:
    keys = {"data": "simulate(users=30)", "split": "ratio(train=0.8)", "recommend": ["Popularity", "Random"]}
    study = study_from({**keys, "compare": {"tests": ["t"], "baseline": "Random"}})
    failures = tuple(
        Failure(cell=f"{system} {fold}", system=system, fold=fold, stage="fit", reason=f"reason {fold}")
        for system, fold in (("Popularity", 0), ("Popularity", 1), ("Random", 0))
    )
    assert [notice.message for notice in about_failures(study, failures)] == [
        "Popularity failed on 2 folds and is left out (fit: reason 0)",
        "Random failed and is left out (fit: reason 0); it was the baseline, so all pairs of the others are compared",
    ]


def test_classes_that_ids_decide_are_told_for_runs_made_elsewhere_too() -> None:
    """Items a to d have 3, 2, 1 and 1 ratings: two classes are a, b and c, d; of four, ids decide whose c and d are."""
    train = pl.DataFrame({"user": ["x", "y", "z", "x", "z"], "item": ["a", "a", "a", "b", "d"], "rating": [1] * 5})
    test = pl.DataFrame({"user": ["y", "x"], "item": ["b", "c"], "rating": [1, 1]})
    run = {user: {item: float(k) for k, item in enumerate("dcb")} for user in "xy"}

    def told(classes: int) -> list[str]:
        target = f"targets(relevant=one, percentiles={classes})"
        notices = ho.evaluate(test, run, "RR", target=target, train=train, relevance="threshold(1)").notices
        return [notice for notice in notices if notice.startswith("HO210")]

    assert told(2) == []
    (message,) = told(4)
    assert message.endswith("in 1 of 4 these items have more than 5% of the test ratings (at most 100%)")


def test_on_movielens_ids_decide_the_classes_of_rare_items(real_data: Callable[[str], Path]) -> None:
    """Five of ten classes of MovieLens 100K are decided by ids for 5 to 29 % of their test ratings; of two classes, none."""
    keys = {"data": str(real_data("ml-100k")), "split": "ratio(train=0.8)", "recommend": "Popularity", "compare": "none"}
    told = ho.run({**keys, "target": ["P1R(20)", "P1R(20, percentiles=2)"], "metrics": "P@5"}, progress=False).notices
    (message,) = [notice for notice in told if notice.startswith("HO210")]
    assert "P1R(nonrelevant=20) assigns" in message and message.endswith("(at most 29%)")


@heavy
def test_on_movielens_ids_move_the_value_of_popularity_by_a_fifth(tmp_path: Path, real_data: Callable[[str], Path]) -> None:
    """With ids in the opposite order, other items of equal popularity are in the more popular of two classes."""
    values = []
    for sign in (1, -1):
        files = []
        for part in ("u1.base", "u1.test"):
            columns = ["user", "item", "rating", "time"]
            rows = pl.read_csv(real_data("ml-100k") / part, separator="\t", has_header=False, new_columns=columns)
            files.append(tmp_path / f"{part}{sign}.csv")
            rows.with_columns(item=3000 + sign * pl.col("item")).write_csv(files[-1])
        split = f'given("{files[0]}", "{files[1]}")'
        target = "targets(candidates=test, relevant=one, percentiles=10)"
        keys = {"split": split, "target": target, "relevance": "threshold(4)", "ties": "expected", "metrics": "P@10"}
        results = ho.run({**keys, "recommend": "Popularity", "compare": "none"}, progress=False)
        assert [notice[:5] for notice in results.notices].count("HO210") == 1
        values.append(results.findings.leaderboard[0].value)
    assert abs(values[1] / values[0] - 1) > 0.1  # 0.0108 and 0.0085


def test_every_target_whose_classes_ids_decide_is_told_once_for_all_folds() -> None:
    keys = {
        "data": "simulate(users=60, items=90, ratings=900)",
        "relevance": "threshold(4)",
        "metrics": "RR",
        "compare": "none",
    }
    targets = [f"targets(relevant=one, percentiles={classes})" for classes in (4, 5)]
    told = ho.run({**keys, "split": "folds(3)", "recommend": "Popularity", "target": targets}, progress=False).notices
    messages = [notice for notice in told if notice.startswith("HO210")]
    assert [f"percentiles={classes}" in message for classes, message in zip((4, 5), messages, strict=True)] == [True, True]


def told(data: str, **more: Any) -> list[str]:
    study = {"data": data, "split": "ratio(train=0.7)", "recommend": SYSTEMS, "metrics": "P@5", "relevance": "threshold(1)"}
    results = ho.run({**study, **more})
    messages = [n.message for n in results.findings.notices if n.code == "HO513"]
    assert [f.message for f in ho.lint(results).findings if f.code == "HO513"] == list(map(sentence, messages))
    return messages


@pytest.fixture
def plays(tmp_path: Path) -> str:
    rows = [f"u{u},i{i},{700 if u == i else 1 + u * i % 4}" for u in range(15) for i in range(15) if (u + 2 * i) % 5]
    path = tmp_path / "plays.csv"
    path.write_text("\n".join(["user,item,rating", *rows]) + "\n", encoding="utf-8")
    return str(path)


def test_systems_that_take_counts_for_ratings_are_named(plays: str) -> None:
    (message,) = told(plays)
    assert message == (
        f'csv(path="{plays}"): Values up to 700 are counts, and they are taken for ratings by ItemKNN, PureSVD(factors=3): '
        "add binarise(1) or playcounts_to_ratings to the filters, or values=binary in PureSVD(factors=3)"
    )


@pytest.mark.parametrize("filtering", ["binarise(1)", "playcounts_to_ratings"])
def test_what_the_notice_advises_ends_it(plays: str, filtering: str) -> None:
    assert told(plays, filters=[[filtering]]) == []


def test_systems_that_ask_only_whether_there_is_a_value_are_not_named(plays: str) -> None:
    assert told(plays, recommend=["Popularity", "EASE", "PureSVD(factors=3, values=binary)"]) == []


def test_ratings_are_no_counts() -> None:
    assert told("simulate(users=60, items=40, ratings=900)") == []


def test_play_counts_of_last_fm(real_data: Callable[[str], Path]) -> None:
    (message,) = told(str(real_data("lastfm-hetrec-2k")), recommend=["Popularity", "ItemKNN"])
    assert "counts, and they are taken for ratings by ItemKNN" in message
