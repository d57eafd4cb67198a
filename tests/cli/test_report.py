"""`heldout report`: tables and figures. Folders that cannot be shown are in tests/snapshots/messages/folders.txt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.reports.every_kind import results_of

import heldout as ho
from heldout.experiment.ledger import Ledger


@pytest.fixture(scope="module")
def study_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown") / "results"
    results_of("study").save(folder)
    return folder


def test_figures_and_tables_are_listed(study_folder: Path, heldout: Command) -> None:
    listed = heldout("report", str(study_folder), "--list")
    assert listed.code == 0
    for name in ("leaderboard", "critical-difference", "differences", "pairs", "all-comparisons"):
        assert name in listed.out
    names = json.loads(heldout("report", str(study_folder), "--list", "--json").out)
    results = ho.load(study_folder)
    assert (list(names["figures"]), list(names["tables"])) == (list(results.figures), list(results.tables))


def test_a_table_is_printed_or_written(study_folder: Path, desk: Path, heldout: Command) -> None:
    sheet = results_of("study").tables["pairs"]
    assert heldout("report", str(study_folder), "--table", "pairs").out == sheet.to_csv()
    assert heldout("report", str(study_folder), "--table", "pairs", "--format", "latex").out == sheet.to_latex()
    assert heldout("report", str(study_folder), "--table", "pairs", "--out", "pairs.md").code == 0
    assert (desk / "pairs.md").read_text() == sheet.to_markdown()
    second = heldout("report", str(study_folder), "--table", "leaderboard", "--setting", "1")
    assert second.out == results_of("study").at(1).tables["leaderboard"].to_csv()


def test_a_figure_is_written(study_folder: Path, desk: Path, heldout: Command) -> None:
    assert heldout("report", str(study_folder), "--figure", "leaderboard", "--format", "svg", "--width", "3.4").code == 0
    results_of("study").figures["leaderboard"].save(desk / "python.svg", width=3.4)
    assert (desk / "leaderboard.svg").read_bytes() == (desk / "python.svg").read_bytes()


def test_options_of_a_figure_are_those_of_python(study_folder: Path, desk: Path, heldout: Command) -> None:
    found, folder = results_of("multiverse"), desk / "multiverse"
    ledger = Ledger(folder)
    with ledger.writing():
        ledger.write_manifest(found.manifest)
    found.save(folder)
    names = ("UserKNN(k=5)", "Random")
    curve = ("--figure", "speccurve", "--out", "curve.svg")
    assert heldout("report", str(folder), *curve, "--pair", *names).code == 0
    ho.load(folder).figure("speccurve", pair=names).save(desk / "python.svg")
    assert (desk / "curve.svg").read_bytes() == (desk / "python.svg").read_bytes()
    diagram = ("--figure", "critical-difference", "--out", "diagram.svg", "--test", "friedman")
    assert heldout("report", str(study_folder), *diagram).code == 0
    results_of("study").figure("critical-difference", test="friedman").save(desk / "python.svg")
    assert (desk / "diagram.svg").read_bytes() == (desk / "python.svg").read_bytes()
