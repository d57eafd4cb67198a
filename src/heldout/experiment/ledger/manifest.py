"""The manifest of a results folder: what was run, from what, by what."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Any

from heldout.errors import ResultsError
from heldout.storage.sealed import json_object, opened, sealed

FORMAT = 6
NAME = "manifest.json"
SOURCES = "sources"
"""The entry of an evaluation that tells where its test set, training set and runs came from."""
_KINDS = {
    None: "one study",
    "multiverse": "a multiverse",
    "meta": "a trial of metrics",
    "bias": "a study of biases",
    "truth": "a comparison with the truth",
    "profile": "a data profile",
}
_FORMS: dict[str, type] = dict.fromkeys(("kind", "title"), str) | dict.fromkeys(
    ("study", "parts", "folds", "failed", "seconds", "inputs", "versions", SOURCES), dict
)
"""What entries that others look into are, where they are there."""
_ANEW = "delete the folder, and run the study again"


def manifest_text(manifest: dict[str, Any]) -> str:
    """The manifest as it is written."""
    return sealed(json.dumps({"heldout": FORMAT, **manifest}, indent=2, ensure_ascii=False), NAME)


def kind_words(manifest: dict[str, Any]) -> str:
    """What the results of a folder are of, ending a sentence."""
    kind = manifest.get("kind")
    if kind is None and SOURCES in manifest:
        return "an evaluation"
    return _KINDS.get(kind, f"another kind ({kind})")


def is_stopped_evaluation(manifest: dict[str, Any]) -> bool:
    """Whether results are of an evaluation that was stopped while they were written: nothing in them is complete."""
    return SOURCES in manifest and not manifest.get("complete", True)


def folder_path(folder: object) -> Path:
    """A results folder as a path; ResultsError where it is named by anything else."""
    if not isinstance(folder, str | PathLike):
        raise ResultsError(found=type(folder).__name__, expected="the path of a results folder")
    return Path(folder)


class OlderFormatError(ResultsError):
    """Results in the format of an earlier version, which are not read but may be written over."""


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a results folder; ResultsError when it is none, changed, damaged, or of another format."""
    path = folder_path(folder) / NAME
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        what = "no results are there (manifest.json is missing)" if Path(folder).is_dir() else "no such folder"
        raise ResultsError(what, where=str(folder), hint="name the folder that a run was told by --out") from None
    except OSError as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(folder)) from None
    manifest = json_object(content, path, _ANEW)
    version = manifest.get("heldout")
    if not isinstance(version, int) or isinstance(version, bool):
        raise ResultsError("this is another program's manifest", where=str(path), hint="name another folder")
    what = f"the results have format {version}, and this version reads format {FORMAT}"
    if version > FORMAT:
        raise ResultsError(what, where=str(path), hint="upgrade heldout")
    manifest = opened(content, path, _ANEW)[0]
    if version < FORMAT:
        hint = "run the study again with this folder: parts that still match are reused"
        raise OlderFormatError(what, where=str(path), hint=hint)
    for name, form in _FORMS.items():
        if not isinstance(manifest.get(name), form | None):
            raise ResultsError(f"is of another version of Heldout ('{name}' has another form)", where=str(path), hint=_ANEW)
    return manifest
