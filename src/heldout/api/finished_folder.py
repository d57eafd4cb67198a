"""What a finished trial leaves in its folder: the one JSON file that its results are made of, tables and a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from heldout.errors import ResultsError
from heldout.experiment.ledger import Ledger, other_version, parts_key, read_manifest, read_sealed, sealed
from heldout.json_codec import to_plain

Findings = TypeVar("Findings")
REPORT = "report.html"


def read_finished(
    folder: str | Path, *, kind: str, name: str, read: Callable[[dict[str, Any]], Findings], other: str, unfinished: str
) -> tuple[dict[str, Any], Findings]:
    """The manifest of a folder and what `read` makes of its file `name`.

    ResultsError says `other` where the folder holds results of another kind, and `unfinished` where the work was stopped.
    """
    manifest = read_manifest(folder)
    if manifest.get("kind") != kind:
        raise ResultsError(other, where=str(folder), hint="heldout report shows them")
    path = Path(folder) / name
    stopped = ResultsError(unfinished, where=str(folder), hint="run the same command again: it goes on where it stopped")
    try:
        content, key = read_sealed(path)
    except FileNotFoundError:
        raise stopped from None
    if not manifest.get("complete") or key != parts_key(manifest):
        raise stopped
    try:
        return manifest, read(content)
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise other_version(path, error) from None


def save_finished(
    folder: str | Path, manifest: dict[str, Any], *, tables: dict[str, pl.DataFrame], name: str, findings: Any, page: str
) -> None:
    """Write the tables, the findings into the JSON file `name`, and the page into a folder."""
    ledger, key = Ledger(folder), parts_key(manifest)
    with ledger.writing():
        for table, frame in tables.items():
            ledger.save_table(f"{table}.parquet", frame, key)
        ledger.save_text(name, sealed(json.dumps({"findings": to_plain(findings)}, ensure_ascii=False), key))
        ledger.save_text(REPORT, page)
