"""What a finished trial left in its folder: the one JSON file that its results are made of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from heldout.errors import ResultsError
from heldout.experiment.ledger import other_version, parts_key, read_manifest, read_sealed

Findings = TypeVar("Findings")


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
