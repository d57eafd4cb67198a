"""Findings name the setting they speak of and advise what the study can do."""

from __future__ import annotations

from typing import Any

import pytest
from tests.review.lint.cases import CASES, STUDY, Case, reviewed

import heldout as ho
from heldout import Review
from heldout.catalogue import make
from heldout.review.lint.evidence import Evidence, PairEvidence
from heldout.review.lint.finding import Finding
from heldout.review.lint.rule import Subject
from heldout.review.lint.rules.significant_and_tiny import SignificantAndTiny
from heldout.study.choices import grouped
from heldout.study.file import study_from


def of(review: Review, code: str) -> Finding:
    return next(f for f in review.findings if f.code == code)


GRID: dict[str, Any] = {
    "metrics": ["Recall", "P"],
    "multiverse": {"seeds": [1], "cutoffs": [5, 10, 20, 50, 100]},
}


def test_metrics_are_told_with_all_their_cut_offs() -> None:
    metrics = [make("metric", text) for text in ("P@5", "P@10", "RR@10", "AUC")]
    assert grouped(metrics) == "P@[5, 10], RR@10, AUC"
    assert grouped(metrics, most=1) == "P@[5, 10] and 2 more"


def test_test_ratings_are_no_neutral_protocol() -> None:
    assert "HO203" in reviewed({"target": ["AllItems", "TestRatings"]}, run=False).codes
    assert "HO203" not in reviewed({"target": ["AllItems", "P1R(20)"]}, run=False).codes
    assert "HO203" not in reviewed({"target": "TestRatings"}, run=False).codes


def test_a_grid_is_told_with_all_its_cut_offs() -> None:
    found = reviewed(GRID, run=False)
    assert "P@[5, 10]" in of(reviewed({"metrics": ["P@[5, 10]"]}, run=True), "HO205").message
    assert of(found, "HO310").message == (
        "Recall@[5, 10, 20] divide by all relevant items, of which 5 places may hold few; "
        "Recall@[50, 100] too, where a user has still more of them."
    )
    assert "by RecallCapped@[5, 10, 20], which divides by min(n, R)" in of(found, "HO310").change


def test_a_multiverse_looks_deeper_by_its_table_of_cut_offs() -> None:
    found = reviewed({"metrics": ["P"], "multiverse": {"seeds": [1], "cutoffs": [5, 10]}}, run=False)
    assert of(found, "HO308").change == "Write cutoffs = [5, 10, 100] in the table multiverse."
    own = reviewed({"metrics": ["P@[5, 10]"], "multiverse": {"seeds": [1]}}, run=False)
    assert of(own, "HO308").change == '- metrics = "P@[5, 10]"\n+ metrics = ["P@[5, 10]", "P@100"]'
    one = reviewed({"metrics": ["P"], "multiverse": {"seeds": [1], "cutoffs": [50]}}, run=False)
    assert of(one, "HO314").change == "Write cutoffs = [5, 10, 50, 100] in the table multiverse."


def test_rating_errors_alone_make_no_list_to_object_to() -> None:
    keys = {"target": "TestRatings", "metrics": ["RMSE"], "task": "predict_ratings", "recommend": ["SVD", "AverageRating"]}
    assert "HO202" not in reviewed(keys, run=False).codes
    assert "HO202" in reviewed({**keys, "metrics": ["RMSE", "P@5"]}, run=False).codes


def test_only_what_is_measured_is_concluded_from() -> None:
    some = reviewed({"task": "all_good_items", "metrics": ["P@5", "Recall@[5, 10]"]}, run=False)
    assert of(some, "HO306").change == "Conclude from Recall@[5, 10]."
    none = reviewed({"task": "all_good_items", "metrics": ["P@5"]}, run=False)
    assert "or measure Recall@100, AUC" in of(none, "HO306").change


@pytest.mark.parametrize("code", ["HO407", "HO411", "HO603"])
def test_a_finding_of_results_names_its_setting(code: str) -> None:
    case = CASES[code]
    assert isinstance(case, Case)
    asked = {**case.bad, "target": ["AllItems", "TestItems"]}
    message = of(reviewed(asked, run=True), code).message
    assert "Items, threshold(tau=4), ratio(train=0.7, by=user), mean" in message
    assert "@5 (" in message


def test_a_tiny_difference_is_told_with_its_setting() -> None:
    choices = {"target": "AllItems", "split": "ratio(train=0.8)"}
    pair = PairEvidence(
        setting="P@5",
        choices=choices,
        metric="P@5",
        aggregate="mean",
        a="A",
        b="B",
        value_a=0.2,
        value_b=0.21,
        difference=-0.01,
        effect=-0.04,
        p=0.002,
        users=6040,
        answered=True,
    )
    subject = Subject(study_from(STUDY), evidence=Evidence(pairs=(pair,)))
    (found,) = SignificantAndTiny().review(subject)
    assert found.message == "A and B differ significantly in P@5 (AllItems, ratio(train=0.8), mean) with d = −0.040."


def test_results_with_failures_are_errors() -> None:
    def broken(train: Any, users: Any) -> Any:
        raise RuntimeError("out of order")

    asked = {"data": "simulate(users=40, items=30, ratings=500)", "split": "ratio(train=0.7)", "recommend": ["Popularity"]}
    results = ho.run(asked, models={"mine": broken})
    assert of(ho.lint(results), "HO107").severity == "error"
    assert of(ho.lint(ho.compare(results, {"level": 0.1})), "HO107").message.startswith("mine failed")
