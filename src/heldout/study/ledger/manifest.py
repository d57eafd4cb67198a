"""The manifest of a results folder: what was run, from what, by what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from heldout.errors import ResultsError

FORMAT = 1
NAME = "manifest.json"


def manifest_text(manifest: dict[str, Any]) -> str:
    """The manifest as it is written."""
    return json.dumps({"heldout": FORMAT, **manifest}, indent=2, ensure_ascii=False) + "\n"


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a results folder; ResultsError when it is none, damaged, or of a newer format."""
    path = Path(folder) / NAME
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        what = "no results are there (manifest.json is missing)" if Path(folder).is_dir() else "no such folder"
        raise ResultsError(what, where=str(folder), hint="name the folder that a run was told by --out") from None
    except (NotADirectoryError, PermissionError) as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(folder)) from None
    except ValueError as error:
        raise ResultsError(
            f"the manifest is damaged ({error})", where=str(path), hint="delete the folder, and run the study again"
        ) from None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("heldout"), int):
        raise ResultsError("this is another program's manifest", where=str(path), hint="name another folder")
    if manifest["heldout"] > FORMAT:
        raise ResultsError(
            f"the results are of format {manifest['heldout']}, this version reads up to {FORMAT}",
            where=str(path),
            hint="upgrade heldout",
        )
    return manifest
