"""`heldout report`: results that cannot be shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.refusing import entries, refused, write
from tests.reports.every_kind import results_of

import heldout as ho
from heldout.experiment.ledger import Ledger, parts_key, sealed
from heldout.experiment.ledger.manifest import manifest_text

_EMPTY = manifest_text({})


_MANIFEST = "manifest.json: was changed after it was written"


BAD_FOLDERS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "empty": ({}, ("results: no results are there (manifest.json is missing)", "--out")),
    "damaged manifest": ({"manifest.json": "{oops"}, ("manifest.json: is damaged", "line 1 column 2", "again")),
    "foreign manifest": ({"manifest.json": '{"name": "web app"}'}, ("manifest.json: this is another program's manifest",)),
    "odd manifest": ({"manifest.json": '{"heldout": "yes"}'}, ("manifest.json: this is another program's manifest",)),
    "newer": ({"manifest.json": '{"heldout": 99}'}, ("format 99, and this version reads format 5", "upgrade heldout")),
    "older": ({"manifest.json": sealed('{"heldout": 1}', "manifest.json")}, ("format 1, and this", "run the study again")),
    "deep manifest": ({"manifest.json": "[" * 100_000}, ("manifest.json: is damaged", "run the study again")),
    "no seal": ({"manifest.json": '{"heldout": 5}'}, (_MANIFEST, "delete the folder, and run the study again")),
    "wrong types": ({"manifest.json": '{"heldout": 5, "key": 3, "digest": [], "parts": 7}'}, (_MANIFEST,)),
    "another word": ({"manifest.json": _EMPTY.replace("}", ', "parts": 3}')}, (_MANIFEST,)),
    "unfinished": ({"manifest.json": _EMPTY}, ("results: the run did not finish", "goes on where it stopped")),
    "damaged facts": ({"manifest.json": _EMPTY, "facts.json": "{"}, ("results/facts.json: is damaged", "again")),
    "facts of nothing": ({"manifest.json": _EMPTY, "facts.json": "{}"}, ("facts.json: was changed after it was",)),
    "facts of another shape": ({"manifest.json": _EMPTY, "facts.json": "[]"}, ("results/facts.json: is damaged",)),
    "facts of others": (
        {"manifest.json": _EMPTY, "facts.json": sealed('{"a": 1}', "x")},
        ("facts.json is of an earlier one",),
    ),
    "facts of another version": (
        {"manifest.json": _EMPTY, "facts.json": sealed('{"a": 1}', parts_key({}))},
        ("results/facts.json: is of another version of Heldout",),
    ),
}


@pytest.mark.parametrize("case", BAD_FOLDERS)
def test_results_that_cannot_be_shown(case: str, desk: Path, heldout: Command) -> None:
    files, words = BAD_FOLDERS[case]
    (desk / "results").mkdir()
    for name, text in files.items():
        write(desk, f"results/{name}", text)
    refused(heldout("report", "results"), *words)
    assert entries(desk / "results") == set(files)


def test_no_results_at_all(desk: Path, heldout: Command) -> None:
    refused(heldout("report", "results"), "results: no such folder", "--out")
    refused(heldout("report", "a.csv"), "a.csv: cannot be read (Not a directory)")


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
    refused(heldout("report", str(folder), *curve, "--pair", "SLIM", "Random"), "no pair of SLIM and Random", "pairs are")
    diagram = ("--figure", "critical-difference", "--out", "diagram.svg", "--test", "friedman")
    assert heldout("report", str(study_folder), *diagram).code == 0
    results_of("study").figure("critical-difference", test="friedman").save(desk / "python.svg")
    assert (desk / "diagram.svg").read_bytes() == (desk / "python.svg").read_bytes()
    wrong = ("--figure", "leaderboard", "--out", "a.svg", "--protocol", "P1R")
    refused(heldout("report", str(study_folder), *wrong), 'the figure "leaderboard" has no option protocol')
    refused(heldout("report", str(study_folder), "--pair", "A", "B"), "name a --figure")


def test_what_is_not_there_is_answered_by_the_nearest_and_the_list(study_folder: Path, desk: Path, heldout: Command) -> None:
    folder = str(study_folder)
    refused(heldout("report", folder, "--figure", "leaderbord"), "did you mean leaderboard?", "critical-difference")
    refused(heldout("report", folder, "--table", "pair"), "did you mean pairs?", "known: all-at-once, all-comparisons")
    refused(heldout("report", folder, "--table", "pairs", "--format", "latx"), "did you mean latex?")
    refused(heldout("report", folder, "--figure", "settings", "--format", "gif"), "no figure is written as 'gif'")
    refused(heldout("report", folder, "--figure", "settings", "--format", "pdf", "--out", "a.png"), "end it in .pdf")
    refused(heldout("report", folder, "--figure", "settings", "--table", "pairs"), "not both")
    refused(heldout("report", folder, "--format", "csv"), "name a --figure or a --table")
    refused(heldout("report", folder, "--table", "pairs", "--width", "3"), "name a --figure")
    assert not list(desk.glob("*.p*"))
