"""Repeated pairs that are merged before a split by time: which time they carry, and who says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import heldout as ho
from heldout import audit
from heldout.catalogue import make
from heldout.experiment.folds import look
from heldout.splits.concerns import concerns
from heldout.splits.store import save_split, saved_splits
from heldout.tables import Split

USERS, ITEMS = 12, 8


def purchases(folder: Path) -> Path:
    """Each user takes items 0 to 5 at times 0 to 5, item 0 again at time 10, when items 6 and 7 are new."""
    lines = ["user,item,rating,timestamp"]
    for user in range(USERS):
        lines += [f"u{user},i{item},{1 + item % 3},{item}" for item in range(6)]
        lines += [f"u{user},i0,4,10", f"u{user},i6,1,10", f"u{user},i7,2,11"]
    path = folder / "log.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def divided(path: Path, *filters: str, by: str = "temporal(at='1970-01-01T00:00:08')") -> Split:
    return next(iter(make("split", by).split(look(str(path), filters, seed=1).data, seed=1)))


@pytest.mark.parametrize(
    ("filtering", "value", "time", "other"),
    [
        ("duplicates(keep=sum)", 5.0, 0, 10),
        ("duplicates(keep=max)", 4.0, 0, 10),
        ("duplicates(keep=latest)", 4.0, 10, 0),
        ("duplicates(keep=sum, time=latest)", 5.0, 10, 0),
        ("duplicates(keep=latest, time=first)", 4.0, 0, 10),
    ],
)
def test_merged_pairs_carry_the_time_of_their_first_or_latest_row(
    tmp_path: Path, filtering: str, value: float, time: int, other: int
) -> None:
    data = look(str(purchases(tmp_path)), [filtering], seed=1).data
    assert data.time is not None and data.merged_time is not None
    assert (data.value[0], data.time[0], data.merged_time[0]) == (value, time, other)
    assert (data.time[1:8] == data.merged_time[1:8]).all()  # pairs of one row begin and end with it


def test_rows_without_repeats_have_no_merged_times(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("user,item,rating,timestamp\na,x,1,5\na,y,2,3\n", encoding="utf-8")
    data = look(str(path), ["duplicates(keep=sum)"], seed=1).data
    assert data.merged_time is None and data.time is not None and data.time.tolist() == [5, 3]


@pytest.mark.parametrize("by", ["temporal(at='1970-01-01T00:00:08')", "temporal(by=user, last=2)"])
def test_the_first_time_tests_nobody_on_what_they_had_met(tmp_path: Path, by: str) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=sum)", by=by)
    assert set(split.test.item.tolist()) == {6, 7}
    found = audit(split)
    assert (found.straddling_train, found.straddling_test) == (USERS, 0)
    (told,) = [notice.message for notice in concerns(split) if notice.code == "HO512"]
    assert told.startswith(f"12 of {6 * USERS} training pairs (16.7%) are merged from rows before and after the cut")


def test_the_latest_time_moves_old_pairs_into_test_and_is_told(tmp_path: Path) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=latest)")
    assert set(split.test.item.tolist()) == {0, 6, 7}
    assert (audit(split).straddling_train, audit(split).straddling_test) == (0, USERS)
    (told,) = [notice.message for notice in concerns(split) if notice.code == "HO512"]
    assert told.startswith("12 of 36 test pairs (33.3%)")


def test_equal_values_hold_nothing_of_later_rows(tmp_path: Path) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=sum)", "binarise(1)")
    assert audit(split).straddling == USERS
    assert "HO512" not in [notice.code for notice in concerns(split)]


def test_a_split_that_does_not_follow_time_has_no_cut(tmp_path: Path) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=sum)", by="ratio(train=0.5)")
    assert audit(split).straddling_test is None
    assert "HO512" not in [notice.code for notice in concerns(split)]


def test_a_saved_split_still_knows(tmp_path: Path) -> None:
    split = divided(purchases(tmp_path), "duplicates(keep=latest)")
    save_split(tmp_path / "kept", [split], made_by="temporal", seed=1, data="log.csv")
    (again,) = saved_splits(tmp_path / "kept")
    assert audit(again) == audit(split)
    assert again.digest == split.digest


def test_methods_and_review_do_not_vouch_for_merged_times(tmp_path: Path) -> None:
    study = {
        "data": str(purchases(tmp_path)),
        "filters": [["duplicates(keep=latest)"]],
        "split": "temporal(at='1970-01-01T00:00:08')",
        "recommend": ["Popularity", "Random"],
        "metrics": "P@2",
        "relevance": "threshold(1)",
    }
    results = ho.run(study)
    (told,) = [n.message for n in results.facts.notices if n.code == "HO512"]
    assert "12 of 36 test pairs (33.3%)" in told
    assert "HO512" in ho.lint(results).codes
    methods = str(ho.methods(results))
    assert "y the times that merged pairs carry, no test rating is older than any training rating; 12 test pairs" in methods
