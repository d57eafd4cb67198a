"""Manifests: read back as they were written; foreign, older and unreadable ones are told apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.refusals import refused

from heldout.errors import ResultsError
from heldout.experiment.ledger.manifest import FORMAT, NAME, manifest_text, read_manifest
from heldout.sealed_json import sealed


def written(folder: Path, text: str) -> Path:
    (folder / NAME).write_text(text, encoding="utf-8")
    return folder


def test_a_manifest_comes_back_with_its_format(tmp_path: Path) -> None:
    manifest = {"title": "Größe", "parts": {"a | A": "k"}, "complete": True}
    assert read_manifest(written(tmp_path, manifest_text(manifest))) == {"heldout": FORMAT, **manifest}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"heldout": true}', "another program's manifest"),
        ('{"heldout": "4"}', "another program's manifest"),
        ("{}", "another program's manifest"),
        ("[1]", "is damaged"),
        ("{", "is damaged"),
        (json.dumps({"heldout": FORMAT}), "was changed after it was written"),  # no seal
        (sealed(json.dumps({"heldout": FORMAT - 1}), NAME), f"format {FORMAT - 1}, .* run the study again with this folder"),
        (json.dumps({"heldout": FORMAT + 1}), f"format {FORMAT + 1}, .*; upgrade heldout"),
    ],
)
def test_what_is_no_manifest_of_this_version(content: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=words) as told:
        read_manifest(written(tmp_path, content))
    assert str(told.value).startswith(str(tmp_path / NAME))


def test_a_folder_without_one_and_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"no results are there \(manifest\.json is missing\)"):
        read_manifest(tmp_path)
    with pytest.raises(ResultsError, match="no such folder"):
        read_manifest(tmp_path / "nowhere")
    with refused(ResultsError, found="dict", expected="the path of a results folder"):
        read_manifest({})  # type: ignore[arg-type]
    (tmp_path / NAME).mkdir()
    with pytest.raises(ResultsError, match=r"cannot be read \(Is a directory\)"):
        read_manifest(tmp_path)
