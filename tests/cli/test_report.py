"""`heldout report`: results that cannot be shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import Command
from tests.cli.refusing import entries, refused, write

from heldout.experiment.ledger import parts_key, sealed
from heldout.experiment.ledger.manifest import manifest_text

_EMPTY = manifest_text({})


_MANIFEST = "manifest.json: was changed after it was written"


BAD_FOLDERS: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "empty": ({}, ("results: no results are there (manifest.json is missing)", "--out")),
    "damaged manifest": ({"manifest.json": "{oops"}, ("manifest.json: is damaged", "line 1 column 2", "again")),
    "foreign manifest": ({"manifest.json": '{"name": "web app"}'}, ("manifest.json: this is another program's manifest",)),
    "odd manifest": ({"manifest.json": '{"heldout": "yes"}'}, ("manifest.json: this is another program's manifest",)),
    "newer": ({"manifest.json": '{"heldout": 99}'}, ("format 99, this version reads 4", "upgrade heldout")),
    "older": ({"manifest.json": '{"heldout": 1}'}, ("format 1, this version reads 4", "run the study again")),
    "deep manifest": ({"manifest.json": "[" * 100_000}, ("manifest.json: is damaged", "run the study again")),
    "no seal": ({"manifest.json": '{"heldout": 4}'}, (_MANIFEST, "delete the folder, and run the study again")),
    "wrong types": ({"manifest.json": '{"heldout": 4, "key": 3, "digest": [], "parts": 7}'}, (_MANIFEST,)),
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
