"""Targets, ties, unrated items and relevance rules from study files and the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command, study_text

import heldout as ho

TARGETS = (
    '["AllItems", "TrainingItems", "TestRatings", "OnePlusRandom(2, relevance=threshold(4))", "P1R(1, percentiles=2)", '
    '"targets(candidates=test, relevant=one, nonrelevant=2, corrected=cls)", "targets(nonrelevant=3, head=0.1)"]'
)


def test_a_study_of_every_kind_of_target(desk: Path, heldout: Command) -> None:
    (desk / "s.toml").write_text(
        study_text(
            target=TARGETS,
            relevance='["threshold(3)", "user_mean", "user_top(0.5)", "more_than(2)"]',
            ties='["item", "random(2)"]',
            unrated='["zero", "interval"]',
            fallback='["none", "average_rating"]',
            metrics='["P@3", "RR", "FullPosition@1"]',
        ),
        encoding="utf-8",
    )
    said = heldout("run", "s.toml", "--out", "out", "--quiet")
    assert said.code == 0, said.err
    board = ho.load("out").tables["all-leaderboards"].frame
    assert set(board["unrated"]) == {"zero", "interval(end=low)", "interval(end=high)"}
    assert board["target"].n_unique() == 7
    plain = board.filter(board["unrated"] == "zero")
    low = board.filter(board["unrated"] == "interval(end=low)")
    high = board.filter(board["unrated"] == "interval(end=high)")
    keys = ["target", "relevance", "ties", "fallback", "metric", "system"]
    both = low.join(high, on=keys, suffix="_high")
    assert len(both) == len(low) == len(plain)
    assert (both["value"] <= both["value_high"] + 1e-12).all()
    assert low.join(plain, on=keys, suffix="_zero").select("value").to_series().to_list() == pytest.approx(
        low.join(plain, on=keys, suffix="_zero").select("value_zero").to_series().to_list()
    )
    diagnostics = ho.load("out").findings.diagnostics
    assert {d.metric for d in diagnostics} == {"FullPosition@1"}
    assert all(d.users > 0 for d in diagnostics)
    assert "FullPosition@1" in (desk / "out" / "report.html").read_text(encoding="utf-8")


def test_runs_serve_the_targets_they_can(desk: Path, heldout: Command) -> None:
    """User u1 rated i1 with 5 and i2 with 3, u2 rated i1 with 4; run B puts i2 before i1."""
    said = heldout(
        "evaluate", "--qrels", "test.csv", "--run", "a.csv", "--run", "b.csv", "-m", "P@1", "--target", "TestRatings",
        "--target", "targets(relevant=one)", "--format", "json", "--quiet",
    )  # fmt: skip
    assert said.code == 0, said.err
    facts = json.loads(said.out)
    values = {
        (facts["settings"][row["setting"]]["choices"]["target"], row["system"]): row["value"] for row in facts["leaderboard"]
    }
    assert values == {
        ("TestRatings", "a"): 1.0,
        ("TestRatings", "b"): 0.5,
        ("targets(relevant=one)", "a"): 1.0,
        ("targets(relevant=one)", "b"): 0.5,  # i2, rated 3, is not relevant and competes
    }


def test_ties_of_runs(desk: Path, heldout: Command) -> None:
    """All scores of u1 are equal: the relevant i1 is first in one of two orders."""
    (desk / "tied.csv").write_text("user,item,score\nu1,i1,1\nu1,i2,1\nu2,i1,1\n", encoding="utf-8")
    said = heldout(
        "evaluate",
        "--qrels",
        "test.csv",
        "--run",
        "tied.csv",
        "-m",
        "P@1",
        "--ties",
        "expected",
        "--format",
        "csv",
        "--quiet",
    )
    assert said.code == 0, said.err
    assert "0.75" in said.out  # (1/2 + 1) / 2


def test_ties_in_the_order_of_the_file(desk: Path, heldout: Command) -> None:
    """Lists of equal scores whose order is meant: b is the only relevant item and stands first."""
    (desk / "test.csv").write_text("user,item,rating\nu,b,5\n", encoding="utf-8")
    (desk / "run.csv").write_text("user,item,score\nu,b,1\nu,a,1\nu,c,1\n", encoding="utf-8")
    for ties, value in (("file", "1.0"), ("item", "0.5")):
        said = heldout("evaluate", "--qrels", "test.csv", "--run", "run.csv", "-m", "RR", "--ties", ties, "--format", "csv")
        assert said.code == 0, said.err
        assert f",{value}" in said.out
