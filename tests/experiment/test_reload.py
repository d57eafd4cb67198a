"""Scores of a run, aggregated and compared again under another analysis."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import HeldoutError, NotApplicableError, ResultsError, SpecError, UnknownNameError
from heldout.experiment.study_scores import StudyScores, advise_again, kept_analysis, kept_scores

STUDY: dict[str, Any] = {
    "data": "simulate(users=40, items=30, ratings=600)",
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "Random"],
    "metrics": ["P@5", "ILD@5", "HLU aggregate=pooled"],
    "compare": {"tests": ["t"], "correction": "bonferroni", "baseline": "Random"},
    "objectives": "ILD@5",
    "seed": 3,
    "title": "Kept",
    "task": "all_good_items",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "out"
    ho.run(STUDY, out=path)
    return path


@pytest.fixture(scope="module")
def study_scores(folder: Path) -> StudyScores:
    return kept_scores(folder)


def test_what_is_not_chosen_is_that_of_the_run(study_scores: StudyScores) -> None:
    analysis = kept_analysis(study_scores, {"aggregate": None, "tests": None})
    assert [str(m) for m in analysis.metrics] == ["P@5", "ILD@5", "HLU"]
    assert [str(a) for a in analysis.aggregations(analysis.metrics[2])] == ["pooled"]
    assert [str(m) for m in analysis.objectives] == ["ILD@5"]
    compare = analysis.compare
    assert ([str(t) for t in compare.tests], str(compare.correction), compare.baseline) == (["t"], "bonferroni", "Random")
    assert (analysis.seed, analysis.title, analysis.task) == (3, "Kept", "all_good_items")


def test_a_chosen_aggregation_holds_for_all_metrics(study_scores: StudyScores) -> None:
    analysis = kept_analysis(study_scores, {"aggregate": "gmean"})
    assert {str(a) for metric in analysis.metrics for a in analysis.aggregations(metric)} == {"gmean"}


def test_an_objective_goes_with_its_metric(study_scores: StudyScores) -> None:
    assert kept_analysis(study_scores, {"metrics": "P@5"}).objectives == ()


@pytest.mark.parametrize(
    ("choices", "kind", "parts"),
    [
        ({"metrics": "RR"}, SpecError, {"where": "metrics", "found": "RR", "hint": "measured: P@5"}),
        ({"aggregate": "men"}, UnknownNameError, {"where": "aggregate", "found": "men"}),
        ({"baseline": "A"}, UnknownNameError, {"where": "compare", "found": "A"}),
        (
            {"aggregate": "mean(weight=test)", "tests": "sign"},
            NotApplicableError,
            {"where": "compare", "hint": "use t, permutation"},
        ),
    ],
)
def test_what_is_refused(
    choices: dict[str, Any], kind: type[HeldoutError], parts: dict[str, Any], study_scores: StudyScores
) -> None:
    with refused(kind, **parts):
        kept_analysis(study_scores, choices)


def test_notices_are_those_of_the_scores_and_of_the_guess(study_scores: StudyScores) -> None:
    codes = [notice.code for notice in advise_again(kept_analysis(study_scores, {}), study_scores).notices]
    assert codes[0] == "HO106"  # no relevance rule is written
    assert "HO402" in codes  # few users


def test_results_that_were_not_kept_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ResultsError):
        kept_scores(tmp_path)


def test_runs_that_were_judged_are_compared_again_as_they_were_asked_for() -> None:
    test = {"user": [1, 1, 2, 3], "item": [1, 2, 1, 3], "rating": [5, 4, 5, 5]}
    runs = {name: {"user": [1, 2, 3], "item": [k, 1, 3], "score": [1.0, 1.0, 1.0]} for k, name in enumerate("AB", start=1)}
    results = ho.evaluate(test, runs, ["RR", "P@1"], compare={"tests": ["sign"], "baseline": "A"})
    again = ho.compare(results, aggregate="median")
    assert [(s.metric, s.aggregate) for s in again.findings.settings] == [("RR", "median"), ("P@1", "median")]
    assert again.findings.baseline == "A" and {row.test for row in again.findings.comparisons} == {"sign"}
