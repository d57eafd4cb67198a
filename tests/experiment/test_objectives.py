"""Descriptive metrics are no contests, unless a study declares one an objective."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.catalogue import classes
from heldout.errors import SpecError, UnknownNameError
from heldout.metrics.metric import Metric
from heldout.universes.grid.file import multiverse_from

BASE: dict[str, Any] = {
    "data": "simulate(users=120, items=80, ratings=3000)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "AverageRating", "UserKNN(k=20)"],
    "metrics": ["ILD@5", "Gini@5", "nDCG@5", "P@5"],
}


@pytest.fixture(scope="module")
def results() -> Any:
    return ho.run(BASE)


def test_what_never_looks_at_relevance_in_lists_is_descriptive() -> None:
    metrics = [cls for cls in classes("metric") if issubclass(cls, Metric)]
    described = {cls.key for cls in metrics if cls.descriptive}
    assert described == {cls.key for cls in metrics if cls.needs_lists and cls.by_relevance == "never"}
    assert described >= {"ARP", "Entropy", "Gini", "ILD", "ItemCoverage", "Novelty", "PopularityLift"}


def test_they_are_measured_and_take_no_part_in_verdict_or_tests(results: Any) -> None:
    facts = results.findings
    described = {s.id for s in facts.settings if s.descriptive}
    assert {s.metric for s in facts.settings if s.id in described} == {"ILD@5", "Gini@5"}
    assert facts.settings[facts.primary].metric == "nDCG@5"  # named third, the first contest
    assert {row.setting for row in facts.verdict.rows}.isdisjoint(described) and len(facts.verdict.rows) == 2
    assert {row.setting for row in facts.comparisons}.isdisjoint(described)
    assert "ILD" not in results.verdict and "wins in both settings" in results.verdict
    board = results.tables["all-leaderboards"].frame
    assert board.filter(pl.col("metric") == "ILD@5")["value"].null_count() == 0
    assert board.filter(pl.col("descriptive"))["metric"].unique().sort().to_list() == ["Gini@5", "ILD@5"]


def test_reports_show_them_beside_the_leaderboard(results: Any) -> None:
    assert {"ILD@5", "Gini@5"} <= set(results.tables["leaderboard"].frame.columns)
    assert results.tables["descriptive"].frame["Metric"].to_list() == ["ILD@5", "Gini@5"]
    assert results.tables["settings"].frame["Setting"].to_list() == ["nDCG@5", "P@5"]
    offered = [option for switch in results.document.sections[0].blocks[0].switches for option in switch.options]
    assert "nDCG@5" in offered and "ILD@5" not in offered
    assert "ILD@5" in repr(results)
    lists = results.to_html().partition('id="table-descriptive"')[2].partition("</table>")[0]
    assert "ILD@5" in lists and "nDCG@5" not in lists


def test_settings_of_a_single_system_are_no_contest() -> None:
    results = ho.run({**BASE, "metrics": ["P@5", "nDCG@5", "RMSE"]})
    assert len(results.findings.settings) == 3 and len(results.findings.verdict.rows) == 2  # RMSE is AverageRating's alone
    assert "in both settings" in results.verdict  # two of them, not three
    leaders = results.tables["settings"].frame["Leader"].to_list()
    assert [leader is None for leader in leaders] == [False, False, True]


def test_an_objective_is_a_contest_like_any_other(results: Any) -> None:
    declared = ho.run({**BASE, "objectives": ["ILD@5"]})
    rows = {s.metric: s.descriptive for s in declared.findings.settings}
    assert rows == {"ILD@5": False, "Gini@5": True, "nDCG@5": False, "P@5": False}
    assert declared.findings.settings[declared.findings.primary].metric == "ILD@5"  # it is named first
    assert len(declared.findings.verdict.rows) == 3
    tested = {declared.findings.settings[row.setting].metric for row in declared.findings.comparisons}
    assert tested == {"ILD@5", "nDCG@5", "P@5"}
    assert any(c.stage == "objectives" for c in declared.findings.choices)
    anew = ho.compare(results, objectives="Gini@5")
    assert not next(s.descriptive for s in anew.findings.settings if s.metric == "Gini@5")


def test_a_kept_objective_stays_one(tmp_path: Path) -> None:
    ho.run({**BASE, "objectives": "ILD@5"}, out=tmp_path)
    again = ho.compare(tmp_path, "sign")
    assert [s.metric for s in again.findings.settings if not s.descriptive] == ["ILD@5", "nDCG@5", "P@5"]
    text = ho.methods(tmp_path).to_markdown()
    assert (
        'objectives = "ILD(features=none, table=none)@5"' in text
        and "Gini@5 describes the lists and ranks no system" in text
    )


@pytest.mark.parametrize(
    ("objective", "kind", "parts"),
    [
        (
            "Novelty@5",
            SpecError,
            {"found": "Novelty@5", "expected": "one of nDCG@5, Coverage@5", "hint": "add it to metrics"},
        ),
        ("Coverage@5", SpecError, {"found": "Coverage@5", "expected": "higher or lower values are better"}),
        ("Nowelty@5", UnknownNameError, {"hint": "did you mean Novelty?"}),
    ],
)
def test_objectives_are_checked(objective: str, kind: type[SpecError], parts: dict[str, str]) -> None:
    with refused(kind, where="objectives", **parts):
        ho.run({**BASE, "metrics": ["nDCG@5", "Coverage@5"], "objectives": [objective]})


def test_a_study_that_only_describes_names_no_winner() -> None:
    found = ho.run({**BASE, "metrics": ["ILD@5", "Gini@5"]})
    assert found.verdict.startswith("No winner is called.") and 'objectives = ["ILD@5"]' in found.verdict
    assert found.findings.verdict.rows == () and found.findings.comparisons == ()
    assert len(found.tables["all-leaderboards"].frame) == 6
    assert found.tables["settings"].frame["Leader"].null_count() == 2
    assert {"pairs", "differences"}.isdisjoint(found.tables) and "margins" not in found.figures
    assert "ILD@5" in repr(found) and "ILD@5" in found.to_html()
    for text in (repr(found), found.to_html().partition("<script")[0]):
        assert "wins" not in text and "Does it hold?" not in text and "share a letter" not in text


def test_lists_that_are_not_there_are_not_described() -> None:
    """B serves one of two users: its diversity is that of its one list, not half of it."""
    test = {"user": ["u", "v"], "item": ["x", "x"], "rating": [5, 5]}
    train = {"user": ["w", "w", "z", "z"], "item": ["x", "y", "y", "q"], "rating": [5, 4, 5, 4]}
    one = {"user": ["u", "u"], "item": ["x", "q"], "score": [2.0, 1.0]}
    both = {"user": ["u", "u", "v", "v"], "item": ["x", "q"] * 2, "score": [2.0, 1.0] * 2}
    found = ho.evaluate(test, {"A": both, "B": one}, ["P@2", "ILD@2"], train=train, relevance="threshold(4)")
    values = found.tables["all-leaderboards"].frame.filter(pl.col("metric") == "ILD@2")["value"].to_list()
    assert values == [1.0, 1.0]  # x and q share no user


def test_a_multiverse_counts_no_universe_of_them() -> None:
    keys = {**BASE, "metrics": ["ILD", "nDCG@5"], "compare": ["t"], "multiverse": {"cutoffs": [5, 10]}}
    assert [str(m) for m in multiverse_from(keys).metrics] == ["nDCG@5"]
    named = multiverse_from({**keys, "objectives": ["ILD"]})
    assert [str(m) for m in named.metrics] == ["ILD@5", "ILD@10", "nDCG@5"]
    with refused(SpecError, where="metrics", found=["ILD@5", "ILD@10"], hint="add a metric such as nDCG@10"):
        multiverse_from({**keys, "metrics": ["ILD"]})


def test_the_methods_say_whose_undefined_values_are_left_out() -> None:
    mixed = ho.methods({**BASE, "metrics": ["P@5", "ILD@5", "RMSE"]}).to_markdown()
    assert ", except in ILD@5 and RMSE, where they were left out." in mixed
    assert "nothing counted as 0, except in ILD@5 and RMSE, where those without a value were left out." in mixed
    assert "except in" not in ho.methods({**BASE, "metrics": ["P@5"]}).to_markdown()
    skipping = ho.methods({**BASE, "metrics": ["AUC"]}).to_markdown()
    assert "Users for whom a metric is undefined were left out." in skipping and "counted as 0" not in skipping
