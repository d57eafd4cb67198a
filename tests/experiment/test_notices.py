"""Warnings about runs and failures, word by word."""

from __future__ import annotations

import pytest

from heldout.experiment.notices import about_failures, about_run
from heldout.experiment.outcome import Failure
from heldout.study.file import study_from
from heldout.targets.runs import RunCounts


@pytest.mark.parametrize(
    ("counts", "messages"),
    [
        (RunCounts(unknown_users=0, training=0), {}),
        (RunCounts(unknown_users=0, training=1), {"HO101": "A ranks 1 training item, which was dropped"}),
        (RunCounts(unknown_users=1, training=0), {"HO104": "A has a list of 1 user who is not tested"}),
        (
            RunCounts(unknown_users=1200, training=2000),
            {
                "HO101": "A ranks 2,000 training items; they were dropped",
                "HO104": "A has lists of 1,200 users who are not tested",
            },
        ),
    ],
)
def test_a_run_is_told_what_of_it_was_not_used(counts: RunCounts, messages: dict[str, str]) -> None:
    assert {notice.code: notice.message for notice in about_run("A", counts)} == messages


def test_each_failed_system_is_told_once_with_its_first_reason() -> None:
    keys = {"data": "simulate(users=30)", "split": "ratio(train=0.8)", "recommend": ["Popularity", "Random"]}
    study = study_from({**keys, "compare": {"tests": ["t"], "baseline": "Random"}})
    failures = tuple(
        Failure(cell=f"{system} {fold}", system=system, fold=fold, stage="fit", reason=f"reason {fold}")
        for system, fold in (("Popularity", 0), ("Popularity", 1), ("Random", 0))
    )
    assert [notice.message for notice in about_failures(study, failures)] == [
        "Popularity failed on 2 folds and is left out (fit: reason 0)",
        "Random failed and is left out (fit: reason 0); it was the baseline, so all pairs of the others are compared",
    ]
