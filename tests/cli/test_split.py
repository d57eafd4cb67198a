"""`heldout split`: sizes, timelines, audits, saved splits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.refusing import refused

DATA = "simulate(users=120, items=60, ratings=2500)"


def test_sizes_and_a_timeline(heldout: Command) -> None:
    said = heldout("split", "temporal(at=0.8)", DATA)
    assert said.code == 0, said
    assert "temporal(at=0.8)" in said.out and "2,000" in said.out and "500" in said.out
    assert "· train   █ test" in said.out and "old" in said.out
    lines = [line for line in said.out.splitlines() if "│" in line]
    assert len(lines) == 6
    for line in lines:  # one cut in time for all: never a training mark right of a test mark
        marks = line.partition("│")[2]
        assert "█" not in marks or "·" not in marks[marks.index("█") :]
    assert "HO501 Small test set" in said.err


def test_what_is_dropped_is_told(heldout: Command) -> None:
    said = heldout("split", "test_users(0.5, then=temporal(at=0.6))", DATA, "--audit")
    assert "ratings dropped: from the cut on, of users who are not tested" in said.out
    assert "× dropped" in said.out
    assert "Disjoint and consistent in time" in said.out
    flips = heldout("split", "ratio", DATA, "--audit", "--users", "0")
    assert "not consistent in time" in flips.out and "test users without training ratings" in flips.out


def test_further_parts(heldout: Command) -> None:
    said = heldout("split", "ratio", DATA, "--validation", "ratio(train=0.9)", "--development", "0.3")
    assert said.code == 0, said
    assert "validation" in said.out and "Development" in said.out and "o validation" in said.out


def test_a_saved_split_is_the_same_again(heldout: Command, desk: Path) -> None:
    said = heldout("split", "folds(3)", DATA, "--save", "kept", "--validation", "ratio(train=0.9)", "--json")
    first = json.loads(said.out)
    again = json.loads(heldout("split", 'saved("kept")', "--json").out)
    assert [f["digest"] for f in first["folds"]] == [f["digest"] for f in again["folds"]]
    assert first["folds"][0]["validation"] == again["folds"][0]["validation"] > 0
    study = 'split = \'saved("kept")\'\nrecommend = ["Random", "Popularity"]\nmetrics = "P@5"\n'
    (desk / "study.toml").write_text(study)
    assert heldout("run", "study.toml", "--out", "results", "--quiet").code == 0
    assert heldout("split", "folds(3)", DATA, "--save", "kept").code == 2


def test_files_are_audited_even_where_they_overlap(heldout: Command, desk: Path) -> None:
    (desk / "a.csv").write_text("user,item,rating,timestamp\n1,1,5,10\n1,2,4,20\n")
    (desk / "b.csv").write_text("user,item,rating,timestamp\n1,2,4,15\n2,1,3,30\n")
    given = 'given(train="a.csv", test="b.csv")'
    said = heldout("split", given, "--audit")
    assert said.code == 0, said
    assert "Training and test ratings overlap" in said.out
    refused(heldout("split", given), "b.csv: ", "a.csv", "found user 1, item 2;", "overlap=train")
    kept = heldout("split", 'given(train="a.csv", test="b.csv", overlap=train)', "--audit")
    assert kept.code == 0 and "1 ratings dropped: pairs of test that are in train too" in kept.out, kept
    assert "overlap:" not in kept.out and "Disjoint" in kept.out


def test_a_plot_of_the_real_split(heldout: Command, desk: Path) -> None:
    assert heldout("split", "random_time", DATA, "--plot", "split.svg").code == 0
    text = (desk / "split.svg").read_text(encoding="utf-8")
    assert "Time of the rating" in text
    assert heldout("split", "random_time", DATA, "--plot", "split.doc").code == 2


def test_bad_rows_of_given_files_are_skipped_and_told(heldout: Command, desk: Path) -> None:
    (desk / "a.csv").write_text("user,item,rating\n1,1,5\n1,2,4\n1,3\n")
    (desk / "b.csv").write_text("user,item,rating\n1,4,4\n2,1,3\n")
    given = 'given(train="a.csv", test="b.csv")'
    assert "a.csv, line 4: expected 3 fields" in heldout("split", given).err
    said = heldout("split", given, "--on-bad-rows", "skip")
    assert said.code == 0 and "bad rows of a.csv: too few fields" in said.out, said


def test_a_study_with_validation_and_user_groups(heldout: Command, desk: Path) -> None:
    study = (
        f'data = "{DATA}"\nsplit = ["replay(times=2)", "test_users(60, then=hide(random))"]\n'
        'validation = "ratio(train=0.9)"\ndevelopment = 0.5\nrecommend = ["Random", "Popularity"]\nmetrics = "P@5"\n'
    )
    (desk / "study.toml").write_text(study)
    said = heldout("run", "study.toml", "--out", "results", "--quiet")
    assert said.code == 0, said
    facts = json.loads((desk / "results" / "facts.json").read_text(encoding="utf-8"))
    assert [s["fold"] for s in facts["splits"]] == [0, 1, 0]
    assert all(s["validation"] > 0 and s["development"] > 0 for s in facts["splits"])
    assert facts["splits"][0]["audit"]["older_than_any"] == 0
    assert {n["code"] for n in facts["notices"]} >= {"HO501"}
    for key, value in (("validation", '"folds(3)"'), ("development", "-1"), ("development", '"half"')):
        (desk / "bad.toml").write_text(f'data = "{DATA}"\nsplit = "ratio"\n{key} = {value}\nrecommend = ["Random"]\n')
        refused(heldout("run", "bad.toml", "--out", "none"), key)


def test_the_share_of_test_counts_validation_too(heldout: Command) -> None:
    said = heldout("split", "folds(5)", DATA, "--validation", "ratio(train=0.9)", "--users", "0")
    # 500 of 2,500 ratings, however many of the others are for validation
    assert said.out.count("20.0%") == 6, said.out  # five folds and their mean


def test_a_timeline_fits_a_narrow_terminal(heldout: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    said = heldout("split", "ratio", DATA)
    lines = [line for line in said.out.splitlines() if "│" in line]
    assert len(lines) == 6 and all(line.count("│") == 2 and len(line) <= 60 for line in lines), said.out


def test_the_audit_does_not_vouch_for_the_times_of_merged_pairs(heldout: Command, tmp_path: Path) -> None:
    rows = [f"u{u},i{i},1,{i}" for u in range(5) for i in range(9)]
    path = tmp_path / "log.csv"
    path.write_text("\n".join(["user,item,rating,timestamp", *rows, "u0,i0,1,8", "u1,i1,1,7"]) + "\n", encoding="utf-8")
    by = "temporal(at='1970-01-01T00:00:07')"
    said = heldout("split", by, str(path), "-f", "duplicates(keep=latest)", "--audit")
    assert "HO512 Pairs were merged across the cut in time: 2 of 12 test pairs (16.7%)" in said.err
    assert "only by the times that merged pairs carry: 2 pairs" in " ".join(said.out.split())
    assert "no test rating is older" not in said.out
    said = heldout("split", by, str(path), "-f", "duplicates(keep=max)", "--audit")  # all values are 1: nothing leaks
    assert "HO512" not in said.err
    assert "training pairs merged across the cut" in said.out
