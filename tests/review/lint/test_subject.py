"""What is reviewed: splits that are drawn, notices of a run, cut-offs of a multiverse."""

from __future__ import annotations

from typing import Any

import pytest
from tests.review.lint.cases import STUDY

from heldout.catalogue.notices import Notice
from heldout.review.lint.evidence import Evidence
from heldout.review.lint.rule import Subject
from heldout.study.file import study_from


def subject(**changed: Any) -> Subject:
    keys = {**STUDY, **changed}
    return Subject(study_from(keys), keys)


@pytest.mark.parametrize(
    ("split", "random"),
    [
        ("ratio(train=0.8)", 1),
        ("folds(3)", 1),
        ("temporal(share=0.2)", 0),
        ("random_time", 0),
        ("test_users(20, then=ratio(train=0.5, by=user))", 1),
        ("test_users(20, then=temporal(at=0.5))", 0),
        (["ratio(train=0.8)", "temporal(share=0.2)"], 1),
    ],
)
def test_random_splits_are_those_that_follow_no_time(split: str | list[str], random: int) -> None:
    assert len(subject(split=split).random_splits) == random


def test_what_the_run_noticed_is_found_by_its_code() -> None:
    study = study_from(STUDY)
    notices = (Notice("HO402", "few"), Notice("HO206", "ties"))
    assert [n.message for n in Subject(study, evidence=Evidence(notices=notices)).noticed("HO206")] == ["ties"]
    assert list(Subject(study).noticed("HO206")) == []


def test_only_a_table_of_cut_offs_multiplies_metrics() -> None:
    keys = {**STUDY, "multiverse": {"seeds": [1], "cutoffs": [5]}}
    study = study_from(STUDY)
    assert Subject(study, keys, seeds=(1,)).deeper([5, 100]) == "write cutoffs = [5, 100] in the table multiverse"
    assert Subject(study, STUDY, seeds=(1,)).deeper([5, 100]) == ""
    assert Subject(study, keys).deeper([5, 100]) == ""
