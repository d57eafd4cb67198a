"""`heldout compare` and `heldout power` on results that were kept."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Command
from tests.reports.kept import keep, study_scores_of

import heldout as ho


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder of results."""
    return keep(study_scores_of(uncovered=4, development=8), tmp_path / "results")


def test_prints_leaderboard_pairs_every_test_and_critical_differences(heldout: Command, results: Path) -> None:
    said = heldout("compare", results, "--metric", "P@10", "--test", "friedman", "--test", "t")
    assert said.code == 0, said.err
    text = " ".join(said.out.split())
    for part in ("Leaderboard", "Pairs of systems", "Every test", "Tests of all systems at once", "Critical difference"):
        assert part in text
    assert "for all 6 pairs together." in text and "Systems that share a letter" in text
    assert "users 32" in text  # of 40 users 8 are for development
    alone = " ".join(heldout("compare", results, "--metric", "P@10", "--test", "t").out.split())
    assert "holm over 6 pairs." in alone


def test_json_csv_and_latex_hold_the_same_comparisons(heldout: Command, results: Path) -> None:
    asked = ("compare", results, "--metric", "P@10", "--test", "t", "--baseline", "Poor")
    facts = json.loads(heldout(*asked, "--format", "json").out)
    rows = [(p["a"], p["b"], p["p"]) for p in facts["comparisons"]]
    assert [(a, b) for a, b, _ in rows] == [("Best", "Poor"), ("Good", "Poor"), ("Twin", "Poor")]
    table = pl.read_csv(heldout(*asked, "--format", "csv").out.encode())
    assert table["p"].to_list() == pytest.approx([p for _, _, p in rows])
    latex = heldout(*asked, "--format", "latex").out
    body = latex.partition(r"\midrule")[2].partition(r"\bottomrule")[0].strip().splitlines()
    assert [line.split(" & ")[:2] for line in body] == [["Best", "Poor"], ["Good", "Poor"], ["Twin", "Poor"]]
    assert "holm over 3 pairs" in latex and r"\label{tab:pairs-0}" in latex


def test_python_says_the_same(heldout: Command, results: Path) -> None:
    facts = json.loads(heldout("compare", results, "--test", "wilcoxon", "--correction", "none", "--format", "json").out)
    again = ho.compare(results, {"tests": "wilcoxon", "correction": "none"})
    assert again.findings.to_dict()["comparisons"] == facts["comparisons"]
    loaded = ho.compare(ho.load(results), {"tests": "wilcoxon", "correction": "none"})
    assert loaded.findings.comparisons == again.findings.comparisons


def test_report_and_plot(heldout: Command, results: Path, tmp_path: Path) -> None:
    page, drawing = tmp_path / "report.html", tmp_path / "cd.svg"
    said = heldout(
        "compare",
        results,
        "--test",
        "friedman",
        "--aggregate",
        "mean",
        "--aggregate",
        "gmean",
        "--report",
        page,
        "--plot",
        drawing,
        "-q",
    )
    assert said.code == 0, said.err
    text = page.read_text(encoding="utf-8")
    assert 'id="aggregations"' in text and 'id="pairs"' in text and "critical difference" in text
    assert "<svg" in drawing.read_text(encoding="utf-8")


def test_no_winner_is_called_on_development_users(heldout: Command, results: Path) -> None:
    said = heldout("compare", results, "--group", "development")
    assert said.code == 0
    assert "No winner is called. 8 of these users are the development group" in " ".join(said.out.split())
    assert "HO406" in said.out


def test_results_are_not_written_over_by_their_report(heldout: Command, results: Path) -> None:
    before = (results / "manifest.json").read_bytes()
    said = heldout("compare", results, "--report", results / "manifest.json")
    assert said.code == 2 and "will not be written over" in said.err and "which is read" in said.err, said
    assert (results / "manifest.json").read_bytes() == before
    for _ in range(2):  # the report itself may be made anew
        assert heldout("compare", results, "--report", results / "report.html", "-q").code == 0
