"""The checklist of decisions."""

from __future__ import annotations

from tests.review.methods.sections import FILTERED

import heldout as ho
from heldout import Methods
from heldout.review.methods.checklist import QUESTIONS
from heldout.study.stages import KINDS_OF_STAGE


def test_every_decision_is_on_the_checklist_also_the_defaults(section: Methods) -> None:
    assert {stage for stage, _, _ in QUESTIONS} == {*KINDS_OF_STAGE, "recommend"}
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
