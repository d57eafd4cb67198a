"""The checklist of decisions."""

from __future__ import annotations

from tests.review.methods.sections import FILTERED

import heldout as ho
from heldout import Methods
from heldout.review.methods.section import QUESTIONS
from heldout.study.spec import KINDS_OF_STAGE


def test_every_decision_is_on_the_checklist_also_the_defaults(section: Methods) -> None:
    assert {stage for stage, _, _ in QUESTIONS} == KINDS_OF_STAGE.keys() - {"compare"}
    assert {d.letter for d in section.checklist} >= {"A1", "A2", "B1", "B2", "C1", "C2", "C3", "C4", "D"}
    by = {d.question: d for d in section.checklist}
    assert by["Unrated items"].default
    assert by["Unrated items"].chosen == ("zero",)
    assert by["What is relevant"].default
    assert not by["Candidate items"].default
    assert by["Correction for many comparisons"].chosen == ("holm",)
    assert all(d.chosen for d in section.checklist)


def test_the_checklist_names_metrics_that_leave_users_out() -> None:
    """The same exception as in the text, also if there are several rules."""
    study = {**FILTERED, "metrics": ["P@5", "AUC"], "undefined": ["zero", "skip"]}
    by = {row.question: row.chosen for row in ho.methods(study).checklist}
    left_out = "(users without a value are left out of AUC)"
    assert by["Undefined values"] == (f"zero {left_out}", "skip")
    assert by["Users without recommendations"] == (f"zero {left_out}",)
    rows = {row.question: row for row in ho.methods({**FILTERED, "metrics": ["P@5", "AUC"]}).checklist}
    assert rows["Undefined values"].default
    plain = {row.question: row.chosen for row in ho.methods({**FILTERED, "metrics": ["P@5"]}).checklist}
    assert plain["Undefined values"] == ("zero",)


def test_a_metric_that_was_not_measured_leaves_nobody_out() -> None:
    """Lists of one of three items have no AUC, so the rules for users without a value have no exception."""
    test, lists = {"u": {"a": 5, "b": 1, "c": 1}, "v": {"a": 1, "b": 5, "c": 1}}, {"u": ["a"], "v": ["a"]}
    results = ho.evaluate(test, lists, ["P@1", "AUC"], relevance="threshold(4)")
    methods = ho.methods(results)
    assert "Metrics were left out where they do not apply: AUC" in methods.to_markdown()
    assert "except in AUC" not in methods.to_markdown()
    chosen = {row.question: row.chosen for row in methods.checklist}
    assert chosen["Undefined values"] == chosen["Users without recommendations"] == ("zero",)
