"""Manifests: read back as they were written; foreign, older and unreadable ones are told apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.refusals import refused

from heldout.errors import ResultsError
from heldout.experiment.ledger.manifest import FORMAT, NAME, OlderFormatError, manifest_text, read_manifest
from heldout.storage.sealed import sealed


def written(folder: Path, text: str) -> Path:
    (folder / NAME).write_text(text, encoding="utf-8")
    return folder


def test_a_manifest_comes_back_with_its_format(tmp_path: Path) -> None:
    manifest = {"title": "Größe", "parts": {"a | A": "k"}, "complete": True}
    assert read_manifest(written(tmp_path, manifest_text(manifest))) == {"heldout": FORMAT, **manifest}


@pytest.mark.parametrize(
    ("content", "kind", "hint"),
    [
        ('{"heldout": true}', ResultsError, "name another folder"),
        ('{"heldout": "4"}', ResultsError, "name another folder"),
        ("{}", ResultsError, "name another folder"),
        ("[1]", ResultsError, "delete the folder, and run the study again"),
        ("{", ResultsError, "delete the folder, and run the study again"),
        (json.dumps({"heldout": FORMAT}), ResultsError, "delete the folder, and run the study again"),  # no seal
        (sealed(json.dumps({"heldout": FORMAT - 1}), NAME), OlderFormatError, "run the study again with this folder"),
        (json.dumps({"heldout": FORMAT + 1}), ResultsError, "upgrade heldout"),
    ],
)
def test_other_manifests_are_refused(content: str, kind: type[ResultsError], hint: str, tmp_path: Path) -> None:
    with refused(kind, where=str(tmp_path / NAME), hint=hint):
        read_manifest(written(tmp_path, content))


def test_a_folder_without_one_and_no_folder(tmp_path: Path) -> None:
    with refused(ResultsError, where=str(tmp_path), hint="name the folder that a run was told by --out"):
        read_manifest(tmp_path)
    with refused(ResultsError, file="nowhere", hint="name the folder that a run was told by --out"):
        read_manifest(tmp_path / "nowhere")
    with refused(ResultsError, found="dict", expected="the path of a results folder"):
        read_manifest({})  # type: ignore[arg-type]
    (tmp_path / NAME).mkdir()
    with refused(ResultsError, where=str(tmp_path)):
        read_manifest(tmp_path)
