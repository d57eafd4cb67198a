"""Check whether every file of a results folder holds what was written there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from heldout import __version__
from heldout.api.kept_results import over_results
from heldout.api.kinds.kind import REPORT, kind_of
from heldout.api.load import load
from heldout.experiment.ledger import folder_path, read_manifest
from heldout.experiment.ledger.verify import Checked, check_files


@over_results
def verify(folder: str | Path) -> pl.DataFrame:
    """Check every file of a results folder: one row per file, with `problem` empty where it holds what was written.

    Each part must have the key that it is named by and the digest of what was written; the report must be the one that the
    findings give. ResultsError if the folder holds no results, or findings that are sealed and make no sense.
    """
    place = folder_path(folder)
    if not (place / "manifest.json").exists():
        read_manifest(place)  # which says why there is nothing to check
    checked = list(check_files(place, lambda manifest: kind_of(manifest).files))
    if not any(file.problem for file in checked[:2]):  # what the report is made from
        checked.extend(_check_report(place))
    schema = {"file": pl.String, "problem": pl.String}
    return pl.DataFrame([(row.file, row.problem) for row in checked], schema=schema, orient="row")


def _check_report(folder: Path) -> Iterator[Checked]:
    manifest = read_manifest(folder)
    if manifest.get("versions", {}).get("heldout") != __version__:
        return  # another version draws another page
    try:
        page = load(folder).to_html().encode()
        same = (folder / REPORT).read_bytes() == page
    except FileNotFoundError:
        yield Checked(REPORT, "is missing; heldout report --html writes it anew")
    except OSError as error:
        yield Checked(REPORT, f"cannot be checked ({error})")
    else:
        yield Checked(REPORT, "" if same else "is not what the facts give; heldout report --html writes it anew")
