"""Sizes, leaks and timelines of splits."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from rich.cells import cell_len
from tests.reports.splits import split

import heldout as ho
from heldout import Audit, audit, read
from heldout.catalogue import classes, make
from heldout.data.profile import DataSteps
from heldout.reports.profile import profile_table
from heldout.reports.render import terminal
from heldout.reports.render.screen import printed
from heldout.reports.splits import audit_table, dropped, example_timeline, parts_by_row, sizes_table, timeline
from heldout.splits.audit import audit_sentence
from heldout.splits.splitter import Splitter
from heldout.tables import Interactions, Split, Vocabulary

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
    """Four users have five ratings each; the last two of each are hidden: 12 of 20 are for training."""
    table = sizes_table([split()], "by time")
    assert [column.name for column in table.columns] == ["Fold", "Part", "Ratings", "Share", "Users", "Items", "Density"]
    assert [tuple(row) for row in table.rows] == [("1", "train", 12, 0.6, 4, 3, 1.0), ("1", "test", 8, 0.4, 4, 2, 1.0)]
    assert [column.text(value, 0) for column, value in zip(table.columns, table.rows[0], strict=True)][2:4] == [
        "12",
        "60.0%",
    ]


def test_means_over_folds_are_below_and_development_users_have_a_column() -> None:
    fold = split()
    fewer = replace(fold, fold=1, test=fold.test.select(fold.test.user < 1))
    table = sizes_table([fold, fewer], "by time")
    assert [tuple(row[:3]) for row in table.rows[-2:]] == [("mean", "train", 12), ("mean", "test", 5)]
    assert table.column("Ratings").text(12, 4) == "12.0"
    some = replace(fold, development=np.array([True, True, False, True]))
    assert sizes_table([some], "by time").values("Development") == [None, 3]


def test_what_is_dropped_is_said_of_each_fold() -> None:
    _, fold = small()
    assert list(dropped([fold])) == ["fold 1: 2 ratings dropped: from the cut on, of users who are not tested"]


def test_leaks_as_counts_and_shares() -> None:
    cells = dict(audit_table([AUDIT]).rows)
    assert cells["probability that a training rating is later than a test rating"] == "0.41"
    assert cells["test users without training ratings"] == "1 (10.0%)" and cells["pairs in both train and test"] == "0"
    untimed = replace(AUDIT, fold=1, older_than_any=None, train_later=None, older_than_own=None, users_older_than_own=None)
    both = audit_table([AUDIT, untimed])
    assert [column.name for column in both.columns] == ["Audit", "Fold 1", "Fold 2"]
    assert dict(zip(both.values("Audit"), both.values("Fold 2"), strict=True))["users with such a test rating"] == "no times"


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


def small() -> tuple[Interactions, Split]:
    user, item = np.divmod(np.arange(12), 4)
    time = np.array([0, 10, 20, 30] * 3, dtype=np.int64)
    data = Interactions.build(Vocabulary.numbered(3), Vocabulary.numbered(4), user, item, np.ones(12), time=time)
    return data, next(iter(make("split", "test_users(2, then=temporal(at=0.6))").split(data, seed=1)))


def test_a_timeline_by_hand() -> None:
    data, fold = small()
    # the cut is at 20, the time of the 8th of 12 ratings: two tested users have the rest hidden, the third has it dropped
    lines = timeline(fold, data, users=3, width=4).plain.splitlines()
    assert [row.partition("│")[2][:4] for row in lines[:3]] == ["··██", "··██", "··××"]
    assert "× dropped" in lines[-1] and lines[-2].split() == ["old", "new"]
    table, where = parts_by_row(fold, data)
    assert table is data and np.bincount(where).tolist() == [6, 0, 4, 2]
    alone, where = parts_by_row(fold, None)
    assert len(alone) == 10 and np.bincount(where, minlength=3).tolist() == [6, 0, 4]


def test_splits_without_times_are_drawn_by_item() -> None:
    data = read({"user": [1, 1, 1, 2, 2, 2], "item": [1, 2, 3, 1, 2, 3], "rating": [1.0] * 6})
    fold = next(iter(make("split", "leave_out(1)").split(data, seed=1)))
    text = timeline(fold, data, users=2, width=30).plain
    assert "first item" in text and text.count("█") == 3  # two ratings and the legend


@pytest.mark.parametrize("cls", [c for c in classes("split") if c.__module__.startswith("heldout.")], ids=lambda c: c.key)
def test_every_split_of_a_data_set_is_drawn(cls: type[Splitter]) -> None:
    if not cls.drawn:
        assert cls.predefined, f'{cls.__name__} declares no text form to draw: drawn = "{cls.key}(…)"'
        return
    assert make("split", cls.drawn).key == cls.key
    text = example_timeline(cls.drawn).plain
    assert "█" in text and "·" in text


@pytest.mark.parametrize("width", [60, 80])
def test_folds_and_steps_of_any_number_are_all_shown(width: int) -> None:
    folds = [replace(split(), fold=k) for k in range(12)]
    audits = audit_table([audit(fold) for fold in folds])
    (_, profile), *_ = ho.profile({"user": [1, 2, 3, 1], "item": [1, 1, 1, 2], "rating": [1, 1, 1, 5]}).findings.steps
    steps = [(f"keep-only-the-ratings-of-some-users(k={k}, seed={k})", profile) for k in range(9)]
    profiles = profile_table([DataSteps.of("made up", "", steps)])
    assert profiles is not None
    text = {table.name: printed(terminal.table(table), width) for table in (sizes_table(folds, "t"), audits, profiles)}
    for shown in text.values():
        assert max(cell_len(line.rstrip()) for line in shown.splitlines()) <= width and "…" not in shown
    assert re.findall(r"Fold (\d+)", text["audit"]) == [str(k + 1) for k in range(12)]
    assert all(f"seed={k})" in "".join(text["profile"].split()) for k in range(9))
