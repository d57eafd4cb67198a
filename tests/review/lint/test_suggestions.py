"""What the review suggests can be done: every change that it writes as keys makes a study that runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.review.lint.cases import CASES, STUDY, Case

import heldout as ho
from heldout.review.lint.finding import Finding

KEY = re.compile(r"(?:^add |^replace .* by |: )(\w+) = (?=[\[\"])")
METRIC = re.compile(r"^(?:say so, or )?replace ([A-Z]\S*) by ([A-Z][^,]*?(?:\[[^]]*\])?)(?:,.*)?$")


def applied(finding: Finding, keys: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The study after each change that a finding writes as `key = value` or as one metric for another."""
    for match in KEY.finditer(finding.change):
        value, _ = json.JSONDecoder().raw_decode(finding.change[match.end() :])
        if finding.change.partition(",")[0].endswith(" in compare"):
            table = keys["compare"] if isinstance(keys.get("compare"), dict) else {"tests": keys.get("compare")}
            yield {**keys, "compare": {**table, match[1]: value}}
        else:
            yield {**keys, match[1]: value}
    metric = METRIC.match(finding.change)
    if metric is not None:
        measure = keys.get("measure", ["nDCG(gain=binary)@10", "P@10", "Recall@10"])
        yield {**keys, "measure": [metric[2] if one == metric[1] else one for one in measure]}


def suggestions(keys: dict[str, Any], *, run: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    for finding in ho.lint(ho.run(keys) if run else keys).findings:
        for changed in applied(finding, keys):
            yield f"{finding.code}: {finding.change}", changed


def finding(change: str) -> Finding:
    """A finding that asks for a change."""
    return Finding(code="", severity="advice", stage="", message="", change=change)


def test_changes_are_found_in_their_words() -> None:
    change = 'replace ties = "item" by ties = "expected"'
    assert list(applied(finding(change), {})) == [{"ties": "expected"}]
    change = "say so, or replace Recall@10 by RecallCapped@10, which divides by min(10, R)"
    assert next(iter(applied(finding(change), {})))["measure"][2] == "RecallCapped@10"
    change = "replace P@10 by P@[5, 10, 50, 100]"
    assert list(applied(finding(change), {"measure": ["P@10"]})) == [{"measure": ["P@[5, 10, 50, 100]"]}]


SMALLEST: dict[str, Any] = {
    "data": "simulate(users=200, items=400, ratings=9000)",
    "split": "ratio(train=0.8, by=user)",
    "recommend": ["Popularity", "UserKNN"],
}


@pytest.mark.parametrize("run", [False, True], ids=["file", "results"])
def test_every_suggestion_for_the_smallest_study_makes_one_that_runs(run: bool) -> None:
    found = list(suggestions(SMALLEST, run=run))
    assert len(found) >= 3
    for told, keys in found:
        assert ho.run(keys).facts.leaderboard, told


@pytest.mark.parametrize("code", [code for code, case in CASES.items() if isinstance(case, Case) and not case.run])
def test_every_suggestion_of_every_rule_makes_a_study_that_runs(code: str) -> None:
    case = CASES[code]
    assert isinstance(case, Case)
    keys = {key: value for key, value in {**STUDY, **case.bad}.items() if value is not None}
    for told, changed in suggestions(keys, run=False):
        if told.startswith(code):
            changed = {**changed, "data": SMALLEST["data"]}  # a catalogue that samples of the usual size fit in
            assert ho.run(changed).facts.leaderboard, told


def test_data_without_filters_keep_those_that_make_pairs_one(real_data: Callable[[str], Path], tmp_path: Path) -> None:
    """Ta-Feng repeats pairs: the data as they are cannot be read without `duplicates`."""
    rows = pl.DataFrame({"user": [1, 1, 1, 2, 2, 3], "item": [1, 1, 2, 1, 3, 3], "rating": [1, 2, 1, 1, 5, 1]})
    rows.write_csv(tmp_path / "sales.csv")
    keys = {
        "data": str(tmp_path / "sales.csv"),
        "filter": [["duplicates(keep=sum)", "min_ratings(user=2)"]],
        "split": "ratio(train=0.5, by=user)",
        "recommend": ["Popularity", "Random"],
        "relevance": "threshold(1)",
    }
    for run in (False, True):
        changes = [changed for told, changed in suggestions(keys, run=run) if told.startswith("HO507")]
        assert [c["filter"][-1] for c in changes] == [["duplicates(keep=sum)"]]
        assert len(ho.run(changes[0]).facts.data) == 2


def test_parts_that_are_given_as_files_are_told_as_such_and_not_to_be_split_anew(tmp_path: Path) -> None:
    train = pl.DataFrame({"user": [1, 1, 2, 2], "item": [1, 2, 2, 3], "rating": [5, 4, 5, 4], "timestamp": [30, 40, 30, 40]})
    test = pl.DataFrame({"user": [1, 2], "item": [3, 1], "rating": [5, 4], "timestamp": [10, 10]})
    train.write_csv(tmp_path / "train.csv")
    test.write_csv(tmp_path / "test.csv")
    keys = {
        "split": f"given(train='{tmp_path / 'train.csv'}', test='{tmp_path / 'test.csv'}')",
        "recommend": ["Popularity", "Random"],
        "relevance": "threshold(4)",
    }
    results = ho.run(keys)
    assert "Training and test ratings were given apart." in ho.methods(results).to_markdown()
    found = {f.code: f.change for f in ho.lint(results).findings}
    assert found["HO508"] == "say why time does not matter"
    assert all(changed["split"] == keys["split"] for _, changed in suggestions(keys, run=True))
