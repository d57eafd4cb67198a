"""The checklist of decisions."""

from __future__ import annotations

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
