"""`measure`: a row for every test user."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import GuessWarning, NoticeWarning, SpecError

# --- measure


def test_every_test_user_has_a_row() -> None:
    test = {"user": ["u", "u", "v", "w"], "item": ["a", "b", "a", "c"], "rating": [1, 1, 1, 1]}
    scores = ho.measure(test, {"u": ["a", "x", "b"], "w": ["x"]}, ["P@2", "RR"])
    assert scores.rows() == [("u", 0.5, 1.0, 3), ("v", 0.0, 0.0, 0), ("w", 0.0, 0.0, 1)]


def test_an_undefined_value_counts_as_zero_or_is_null() -> None:
    test = {"user": ["u", "v"], "item": ["a", "a"], "rating": [5, 1]}
    lists = {"u": ["a"], "v": ["a"]}
    assert ho.measure(test, lists, "Recall@1", relevance="threshold(4)")["Recall@1"].to_list() == [1.0, 0.0]
    skipped = ho.measure(test, lists, "Recall@1", relevance="threshold(4)", undefined="skip")
    assert skipped["Recall@1"].to_list() == [1.0, None]


@pytest.mark.filterwarnings("ignore::heldout.errors.NoticeWarning")
@pytest.mark.parametrize("undefined", ["zero", "skip"])
def test_the_mean_of_a_column_is_the_value_of_evaluate(undefined: Any) -> None:
    """Of 40 users, some have no relevant rating, some have no list, and some lists hold no rated item."""
    rng = np.random.default_rng(5)
    pairs = [(f"u{u}", f"i{i}") for u in range(40) for i in rng.choice(30, 6, replace=False)]
    test = {
        "user": [user for user, _ in pairs],
        "item": [item for _, item in pairs],
        "rating": [float(rng.integers(1, 4 if user.endswith("3") else 6)) for user, _ in pairs],
    }
    run = {f"u{u}": {f"i{i}": float(rng.random()) for i in rng.choice(30, 8, replace=False)} for u in range(40) if u % 7}
    metrics = ["nDCG@5", "Recall@5", "AP", "RR", "RMSE", "MAE", "bpref", "infAP"]
    values = ho.measure(test, run, metrics, relevance="threshold(4)", scores="ratings", undefined=undefined)
    results = ho.evaluate(test, run, metrics, relevance="threshold(4)", scores="ratings", undefined=undefined)
    by_metric = {str(s.metric): s.id for s in results.findings.settings}
    rows = {row.setting: row for row in results.findings.leaderboard}
    assert len(by_metric) == len(metrics)
    for metric, setting in by_metric.items():
        assert values[metric].mean() == pytest.approx(rows[setting].value, rel=1e-13), metric
        assert values[metric].null_count() == 40 - rows[setting].users, metric


def test_a_guessed_rule_that_other_libraries_do_not_have_is_said() -> None:
    """Of ratings 1 to 5, 4 and 5 are relevant; pytrec_eval and ranx take all of them."""
    test = {"u": {"a": 5, "b": 3}, "v": {"a": 1, "c": 4}}
    lists = {"u": ["b"], "v": ["c"]}
    with pytest.warns(GuessWarning) as said:
        assert ho.measure(test, lists, "Recall@1")["Recall@1"].to_list() == [0.0, 1.0]
    assert [warning.filename for warning in said] == [__file__]
    assert all(rule in str(said[0].message) for rule in ("threshold(tau=4)", 'relevance="threshold(1)"'))


@pytest.mark.parametrize(
    ("grades", "metric", "relevance"),
    [
        ((5, 3, 1, 4), "nDCG@1", None),  # which takes the ratings themselves
        ((5, 3, 1, 4), "Recall@1", "threshold(4)"),
        ((3, 1, 0, 2), "Recall@1", None),  # grades, relevant from 1 on as elsewhere
        ((5, 5, 5, 5), "Recall@1", None),  # all of them are relevant
    ],
)
def test_where_there_is_nothing_to_say_there_is_no_warning(
    grades: tuple[int, ...], metric: str, relevance: str | None
) -> None:
    test = {"u": {"a": grades[0], "b": grades[1]}, "v": {"a": grades[2], "c": grades[3]}}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ho.measure(test, {"u": ["b"], "v": ["c"]}, metric, relevance=relevance)


def test_what_measure_refuses() -> None:
    test = {"user": ["u"], "item": ["a"], "rating": [1]}
    with refused(SpecError, where="lists", hint="measure each by itself, or give all of them to ho.evaluate"):
        ho.measure(test, {"A": {"u": {"a": 1.0}}, "B": {"u": {"a": 1.0}}})
    with refused(SpecError, where="metrics", hint='such as ho.evaluate(qrels, lists, "ItemCoverage@1")'):
        ho.measure(test, {"u": ["a"]}, ["P@1", "ItemCoverage@1"])
    with refused(SpecError, where="ties"):
        ho.measure(test, {"u": ["a"]}, ties=["item", "trec"])


@pytest.mark.parametrize("users", [3, 2000])
def test_few_or_many_users_are_a_matter_of_comparisons_only(users: int) -> None:
    """One system is measured, in a loop perhaps: no difference is tested, so no warning tells which would be found."""
    test = {f"u{k}": {"a": 1, "b": 1} for k in range(users)}
    lists = {user: ["a", "b"] for user in test}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ho.measure(test, lists, "P@2", relevance="threshold(1)")
    alone = ho.evaluate(test, lists, "P@2", relevance="threshold(1)").notices
    both = ho.evaluate(test, {"A": lists, "B": {user: ["b", "c"] for user in test}}, "P@2", relevance="threshold(1)").notices
    assert not alone and [notice[:5] for notice in both] == ["HO402" if users < 50 else "HO401"]


class Tensor:
    """What Heldout sees of a tensor: a shape, and memory that other libraries may take over."""

    def __init__(self, scores: Any) -> None:
        self.scores = np.asarray(scores)
        self.shape, self.ndim = self.scores.shape, self.scores.ndim

    def __len__(self) -> int:
        return len(self.scores)

    def __dlpack__(self) -> Any:
        return self.scores.__dlpack__()


def test_a_tensor_is_no_run() -> None:
    test = {"user": [0, 0, 1], "item": [0, 1, 2], "rating": [1, 1, 1]}
    scores = [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]
    parts = {"found": "tests Tensor of shape (2, 3)", "expected": "a NumPy array", "hint": "scores.detach().cpu().numpy()"}
    for run in (Tensor(scores), {"A": Tensor(scores), "B": np.array(scores)}):
        with refused(ho.InputError, **parts):
            ho.evaluate(test, run, "P@1", relevance="threshold(1)")
    with refused(ho.InputError, **parts):
        ho.measure(test, Tensor(scores), "P@1")
    assert len(ho.measure(test, Tensor(scores).scores, "P@1", relevance="threshold(1)")) == 2


class Strange:
    """A tensor that hands out its memory in no way that is known, as those of older libraries."""

    shape = (2, 3)


def test_a_tensor_without_dlpack_is_no_run_either() -> None:
    test = {"user": [0, 0, 1], "item": [0, 1, 2], "rating": [1, 1, 1]}
    for run in (Strange(), {"A": Strange()}):
        with refused(ho.InputError, found="tests Strange of shape (2, 3)", expected="a NumPy array"):
            ho.evaluate(test, run, "P@1", relevance="threshold(1)")


def test_the_notices_of_evaluate_are_warnings() -> None:
    """Training items in the lists (HO101), users outside the test set (HO104), lists shorter than the cut-off (HO304)."""
    test, train = {"u": {"a": 5, "b": 3}, "v": {"a": 4, "d": 2}}, {"u": {"x": 5}, "v": {"b": 4}}
    lists = {"u": ["x", "a"], "v": ["d", "a"], "w": ["a"]}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ho.measure(test, lists, ["nDCG@10", "P@2"], train=train, relevance="threshold(1)")
    said = [str(warning.message) for warning in caught if warning.category is NoticeWarning]
    notices = ho.evaluate(test, lists, ["nDCG@10", "P@2"], train=train, relevance="threshold(1)").notices
    assert said == notices
    assert {message[:5] for message in said} >= {"HO101", "HO104", "HO304"}
    assert {warning.filename for warning in caught} == {__file__}


def test_measuring_makes_no_findings() -> None:
    """Lists are encoded, judged, measured and framed: nothing that analyses scores is even loaded."""
    code = """
import sys, heldout as ho
train = {"u": {"x": 1}}
ho.measure({"u": {"a": 1, "b": 0}}, {"u": ["a", "x"]}, ["P@1", "nDCG@3"], train=train, relevance="threshold(1)")
assert "heldout.experiment.run_judging" in sys.modules
unused = "heldout.analysis", "heldout.reports", "heldout.experiment.evaluate", "heldout.experiment.study_scores"
print([name for name in sys.modules if name.startswith(unused)])
"""
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
