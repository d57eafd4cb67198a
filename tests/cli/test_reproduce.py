"""`heldout reproduce` as a user gives it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command


def test_papers_are_listed(heldout: Command, desk: Path) -> None:
    said = heldout("reproduce")
    assert said.code == 0 and "canamares-2020" in said.out and "table-2" in said.out
    assert "ml-1m/ratings.dat" in said.out
    rows = json.loads(heldout("reproduce", "--json", "--data", desk).out)
    assert {tuple(row["missing"]) for row in rows if row["data"] == "MovieLens 1M"} == {("ml-1m/ratings.dat",)}


def test_experiments_are_run_reported_again_and_verified(heldout: Command, desk: Path) -> None:
    said = heldout(
        "reproduce", "canamares-2020", "table-1", "rho", "--data", "simulated", "--out", "again", "--page", "page.md"
    )
    assert said.code == 0, said
    assert "Simulated data replace" in said.out and "table-1" in said.out and "table-1: Public data sets" not in said.out
    assert "Report: again/report.html" in said.err and "Published beside measured" in (desk / "page.md").read_text()
    assert heldout("report", "again").out == said.out
    assert "table-1: Public data sets" in heldout("report", "again", "--full").out
    assert heldout("verify", "again").code == 0
    numbers = json.loads(
        heldout("reproduce", "canamares-2020", "rho", "--data", "simulated", "--out", "again", "--json", "-q").out
    )["numbers"]
    assert [row["published"] for row in numbers] == [0.962, 0.962]


def test_what_is_missing_is_a_sentence(heldout: Command, desk: Path) -> None:
    said = heldout("reproduce", "canamares-2020", "table-1-netflix", "--data", desk)
    assert said.code == 0 and "lacks netflix/*.txt" in " ".join(said.out.split())
    assert heldout("reproduce", "canamares-2020").code == 2
    assert heldout("reproduce", "canamares-2020", "--all", "--data", desk).code == 2


def test_ctrl_c_says_how_to_go_on_where_a_folder_keeps_what_is_done(
    heldout: Command, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("heldout.papers.rating_counts.RatingCounts.measure", stopped)
        said = heldout("reproduce", "canamares-2020", "rho", "--data", "simulated", "--out", "half")
        assert (said.code, said.err) == (130, "stopped; run the same command again to go on where it stopped\n")
        said = heldout("reproduce", "canamares-2020", "rho", "--data", "simulated")
        assert (said.code, said.err) == (130, "stopped\n")
    said = heldout("reproduce", "canamares-2020", "rho", "--data", "simulated", "--out", "half", "-q")
    assert said.code == 0 and (desk / "half" / "report.html").exists()
