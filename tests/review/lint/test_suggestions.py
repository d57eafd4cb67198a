"""What the review suggests can be done: every change that it writes as keys makes a study that runs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.review.lint.cases import CASES, STUDY, Case, Judged, judged, played, read, repeated, short_run, whole

import heldout as ho
from heldout import Results
from heldout.catalogue.notices import SEVERITIES, concern
from heldout.review.lint.finding import Finding

KEY = re.compile(r"(?:^\+ |^Add |^Replace .*? by |, or (?:add )?|: |[Dd]eclare )(\w+) = (?=[\[\"\d])", re.MULTILINE)
METRIC = re.compile(r"^(?:Say so, or )?[Rr]eplace ([A-Z]\S*) by ([A-Z][^,]*?(?:\[[^]]*\])?)(?:[,.].*)?$")


def applied(finding: Finding, keys: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The study after each change that a finding writes as `key = value` or as one metric for another."""
    change = finding.change
    matches = list(KEY.finditer(change))
    added = [match for match in matches if match[0].startswith("+ ")]
    if len(added) > 1:  # lines of one difference go together
        yield {**keys, **{match[1]: _value(change[match.end() :]) for match in added}}
        return
    for match in matches:
        value = _value(change[match.end() :])
        if "[compare]" in change or re.search(r" in compare(?:,|\.|$)", change):
            table = keys["compare"] if isinstance(keys.get("compare"), dict) else {"tests": keys.get("compare")}
            yield {**keys, "compare": {**table, match[1]: value}}
        else:
            yield {**keys, match[1]: value}
    metric = METRIC.match(change)
    if metric is not None:
        written = keys.get("metrics", ["nDCG(gain=binary)@10"])
        yield {**keys, "metrics": [metric[2] if one == metric[1] else one for one in written]}


def _value(text: str) -> Any:
    """The value that a text begins with."""
    return json.JSONDecoder().raw_decode(text)[0]


IN_WORDS: dict[str, dict[str, Any]] = {
    "HO108": {"metrics": ["P@5"]},
    "HO204": {"target": "AllItems"},
    "HO205": {"metrics": ["P@5"], "unrated": ["zero", "interval"]},
    "HO209": {"target": ["AllItems", "P1R(4)"]},
    "HO210": {"target": ["AllItems", "targets(head=0.1)"]},
    "HO301": {"metrics": ["RR", "nDCG@10"]},
    "HO302": {"metrics": ["nDCG(gain=binary)@5", "P@5"]},
    "HO303": {"metrics": ["nDCG(gain=binary)@5"]},
    "HO304": {"metrics": ["P@20"]},
    "HO312": {"metrics": ["nDCG(gain=binary)@10"]},
    "HO402": {"data": "simulate(users=60, items=40, ratings=900)"},
    "HO403": {"aggregate": "median", "compare": ["sign"]},
    "HO405": {"recommend": ["Popularity", "Random"]},
    "HO407": {"aggregate": "mean"},
    "HO411": {"data": "simulate(users=3000, items=40, ratings=50000)"},
    "HO412": {"compare": {"tests": ["sign"], "baseline": "Popularity"}},
    "HO413": {"compare": ["wilcoxon", "t"]},
    "HO501": {"data": "simulate(users=90, items=80, ratings=5000)"},
    "HO503": {"data": "simulate(users=60, items=40, ratings=900)"},
    "HO504": {"split": "ratio(train=0.8)"},
    "HO505": {"split": "ratio(train=0.8)"},
    "HO506": {"data": "simulate(users=200, items=40, ratings=2000)", "development": 0.5},
    "HO514": {"split": "uniform_test(share=0.05, keep=0.666667, folds=3)"},
    "HO511": {"data": ["simulate(users=90, items=40, ratings=1500)", "simulate(users=100, items=50, ratings=2000)"]},
}
"""What a suggestion in words means for the study of the case."""
TO_REPORT = {
    "HO401": "the effect size is to be reported",
    "HO417": "the primary setting is to be named beforehand",
    "HO418": "the effect size is to be reported",
}
"""Suggestions that change what is said of a study, not the study."""
BEFORE = {
    "HO207": "only the study file tells",
    "HO208": "such a study is refused before it runs",
    "HO311": "only the study file tells",
}
"""Rules that find nothing in results."""


def suggestions(keys: dict[str, Any], *, run: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    for finding in ho.lint(ho.run(keys) if run else keys).findings:
        for changed in applied(finding, keys):
            yield f"{finding.code}: {finding.change}", changed


def finding(change: str) -> Finding:
    """A finding that asks for a change."""
    return Finding(code="", severity="advice", stage="", message="", change=change)


def test_changes_are_found_in_their_words() -> None:
    change = '- ties = "item"\n+ ties = "expected"'
    assert list(applied(finding(change), {})) == [{"ties": "expected"}]
    change = "Say so, or replace Recall@10 by RecallCapped@10, which divides by min(10, R)"
    assert next(iter(applied(finding(change), {"metrics": ["Recall@10"]})))["metrics"][0] == "RecallCapped@10"
    change = "Replace P@10 by P@[5, 10, 50, 100]."
    assert list(applied(finding(change), {"metrics": ["P@10"]})) == [{"metrics": ["P@[5, 10, 50, 100]"]}]


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
        assert ho.run(keys).findings.leaderboard, told


@pytest.mark.parametrize("code", [code for code, case in CASES.items() if isinstance(case, Case) and not case.run])
def test_every_suggestion_of_every_rule_makes_a_study_that_runs(code: str) -> None:
    case = CASES[code]
    assert isinstance(case, Case)
    keys = {key: value for key, value in {**STUDY, **case.bad}.items() if value is not None}
    for told, changed in suggestions(keys, run=False):
        if told.startswith(code):
            changed = {**changed, "data": SMALLEST["data"]}  # a catalogue that samples of the usual size fit in
            assert ho.run(changed).findings.leaderboard, told


FROM_RESULTS = [code for code, case in CASES.items() if isinstance(case, Case) and code not in {**TO_REPORT, **BEFORE}]


@pytest.mark.parametrize("code", FROM_RESULTS)
def test_every_suggestion_from_results_runs_and_settles_the_finding(code: str) -> None:
    """A finding is settled where none of its code is left that is as grave."""
    case = CASES[code]
    assert isinstance(case, Case)
    keys = {key: value for key, value in {**STUDY, **case.bad}.items() if value is not None}
    before = worst(keys, code)
    assert before is not None
    changes = list(applied(before, keys))
    assert bool(changes) != (code in IN_WORDS), before.change
    for changed in changes or [{**keys, **IN_WORDS[code]}]:
        after = worst(changed, code)
        grave = after is not None and SEVERITIES.index(after.severity) >= SEVERITIES.index(before.severity)
        assert not grave, f"{before.change} leaves {after and after.message}"


def worst(keys: dict[str, Any], code: str) -> Finding | None:
    """The gravest finding of a code in the results of a study."""
    return next((f for f in ho.lint(ho.run(keys)).findings if f.code == code), None)


@pytest.mark.parametrize("code", sorted(TO_REPORT))
def test_what_is_to_be_reported_is_no_key(code: str) -> None:
    assert not list(applied(finding(concern(code).change), STUDY))


@pytest.mark.parametrize(
    ("code", "change", "mended"),
    [
        ("HO101", "Filter items of train before writing the run", lambda _: judged([])),
        ("HO104", "Check that run and test set are of the same split", lambda _: judged([])),
        ("HO105", "or lower the cut-off", lambda _: short_run("TestItems", depth=1)),
        ("HO107", "Mend the cause and run the same study again", lambda _: ho.run(STUDY, models={"Broken": whole})),
        ("HO315", "nDCG@5 by nDCG(gain=binary)@5", lambda folder: played(folder, [], "nDCG(gain=binary)@5")),
        ("HO502", "Mend the file", lambda folder: read(folder, "u1,i99,3")),
        ("HO512", "duplicates(…, time=first), then binarise(1)", lambda folder: repeated(folder, "latest, time=first")),
        ("HO513", "Add binarise(1)", lambda folder: played(folder, ["binarise(1)"])),
    ],
)
def test_a_suggestion_for_files_runs_and_models_settles_the_finding(
    code: str, change: str, mended: Callable[[Path], Results], tmp_path: Path
) -> None:
    case = CASES[code]
    assert isinstance(case, Judged)
    assert change in next(f.change for f in ho.lint(case.bad(tmp_path)).findings if f.code == code)
    assert code not in ho.lint(mended(tmp_path)).codes


def test_suggestions_of_all_rules_are_tried() -> None:
    others = {code for code, case in CASES.items() if isinstance(case, Judged)}
    assert set(FROM_RESULTS) | others | set(TO_REPORT) | set(BEFORE) == set(CASES)


def test_data_without_filters_keep_those_that_make_pairs_one(real_data: Callable[[str], Path], tmp_path: Path) -> None:
    """Ta-Feng repeats pairs: the data as they are cannot be read without `duplicates`."""
    rows = pl.DataFrame({"user": [1, 1, 1, 2, 2, 3], "item": [1, 1, 2, 1, 3, 3], "rating": [1, 2, 1, 1, 5, 1]})
    rows.write_csv(tmp_path / "sales.csv")
    keys = {
        "data": str(tmp_path / "sales.csv"),
        "filters": [["duplicates(keep=sum)", "min_ratings(user=2)"]],
        "split": "ratio(train=0.5, by=user)",
        "recommend": ["Popularity", "Random"],
        "relevance": "threshold(1)",
    }
    for run in (False, True):
        changes = [changed for told, changed in suggestions(keys, run=run) if told.startswith("HO507")]
        assert [c["filters"][-1] for c in changes] == [["duplicates(keep=sum)"]]
        assert len(ho.run(changes[0]).findings.data) == 2


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
    assert found["HO508"] == "Say why time does not matter."
    assert all(changed["split"] == keys["split"] for _, changed in suggestions(keys, run=True))
