"""A results folder that an earlier version wrote: refused in a sentence, and reused if its study is run again.

`tests/fixtures/results` was written by version 0.1.0 before its reports and records were rewritten. It stays as it is.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

import heldout as ho
from heldout.storage.sealed import opened, sealed

FIXTURE = Path(__file__).parents[1] / "fixtures" / "results"
MANIFEST = "manifest.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the folder in a format before any that is read."""
    copy = Path(shutil.copytree(FIXTURE / "folder", tmp_path / "folder"))
    manifest, _ = opened((copy / MANIFEST).read_bytes(), copy / MANIFEST, "")
    (copy / MANIFEST).write_text(sealed(json.dumps(manifest | {"heldout": 1}), MANIFEST), encoding="utf-8")
    return copy


def _measured(results: ho.Results) -> pl.DataFrame:
    return results.tables["all-leaderboards"].frame.select("system", "metric", "value")


def test_the_folder_is_read_or_refused_in_one_sentence() -> None:
    """The format of the fixture may become an older one; its numbers do not change."""
    try:
        results = ho.load(FIXTURE / "folder")
    except ho.ResultsError as error:
        assert "format 4" in error.what and "run the study again" in error.hint
    else:
        assert isinstance(results, ho.Results)
        assert _measured(results).equals(_measured(ho.run(FIXTURE / "study.toml")))


@pytest.mark.parametrize("verb", ["load", "lint", "methods", "compare"])
def test_an_older_format_is_refused(folder: Path, verb: str) -> None:
    with pytest.raises(ho.ResultsError) as refusal:
        getattr(ho, verb)(folder)
    assert refusal.value.where == str(folder / MANIFEST)
    assert "format 1" in refusal.value.what and "run the study again with this folder" in refusal.value.hint


def test_the_study_run_again_reuses_parts_and_gives_the_same_numbers(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.glob("scores/*.parquet")}
    again = ho.run(FIXTURE / "study.toml", out=folder)
    cells = again.findings.manifest["parts"]
    assert {f"{key}.parquet" for key in cells.values()} == before.keys()
    assert {path.name: path.read_bytes() for path in folder.glob("scores/*.parquet")} == before
    assert all(entry["done"] == "reused" for entry in json.loads((folder / MANIFEST).read_text())["cells"].values())
    assert _measured(ho.load(folder)).equals(_measured(again))
