"""Splits and audits in a terminal, and a split's figure."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.reports.splits import split

from heldout import Audit
from heldout.reports.terminal.screen import printed
from heldout.reports.terminal.splits import render_audits, render_splits
from heldout.splits.audit import audit_sentence

AUDIT = Audit(
    fold=0,
    train=80,
    test=20,
    overlap=0,
    older_than_any=5,
    train_later=0.4137,
    older_than_own=0,
    users_older_than_own=0,
    test_users=10,
    cold_users=1,
    cold_user_ratings=2,
    test_items=8,
    cold_items=0,
    cold_item_ratings=0,
)


def test_sizes_of_a_fold() -> None:
    lines = printed(render_splits([split()], "by time"), 80).splitlines()
    assert lines[0].strip() == "by time"
    rows = [line.split() for line in lines]
    assert ["fold", "part", "ratings", "share", "users", "items", "density"] in rows
    assert ["1", "train", "12", "60.0%", "4", "3", "100%"] in rows
    assert ["test", "8", "40.0%", "4", "2", "100%"] in rows
    assert not any("mean" in row for row in rows)


def test_means_over_folds_stand_below() -> None:
    fold = split()
    fewer = replace(fold, fold=1, test=fold.test.select(fold.test.user < 1))
    rows = [line.split() for line in printed(render_splits([fold, fewer], "by time"), 80).splitlines()]
    assert ["mean", "train", "12.0", "72.9%", "4.0", "3.0", "100%"] in rows
    assert ["test", "5.0", "27.1%", "2.5", "2.0", "100%"] in rows


def test_leaks_as_counts_and_shares() -> None:
    text = printed(render_audits([AUDIT]), 100)
    lines = {line[:45].strip(): line[45:].strip() for line in text.splitlines()}
    assert "0.41" in text and "older than some" not in text
    assert lines["test users without training ratings"] == "1 (10.0%)"
    untimed = replace(AUDIT, older_than_any=None, train_later=None, older_than_own=None, users_older_than_own=None)
    assert "no times" in printed(render_audits([untimed]), 100)


@pytest.mark.parametrize(
    ("changes", "start"),
    [
        ({"overlap": 1}, "Training and test ratings overlap"),
        ({"older_than_any": None}, "Disjoint; without times"),
        ({}, "Disjoint, but not consistent in time"),
        (
            {"older_than_any": 0, "straddling_test": 2},
            "Disjoint; consistent in time only by the times that merged pairs carry: 2",
        ),
        ({"older_than_any": 0}, "Disjoint and consistent in time"),
    ],
)
def test_the_gravest_leak_is_said_first(changes: dict[str, int | None], start: str) -> None:
    graver = [AUDIT] if "overlap" in changes else []
    assert audit_sentence([*graver, replace(AUDIT, **changes)]).startswith(start)
