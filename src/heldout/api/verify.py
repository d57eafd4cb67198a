"""Check whether every file of a results folder holds what was written there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from heldout import __version__
from heldout.api.bias_results import BiasResults
from heldout.api.data_profile import DataProfile
from heldout.api.kept_results import over_results
from heldout.api.meta_results import MetaResults
from heldout.api.multiverse_results import MultiverseResults
from heldout.api.reproduction_results import ReproductionResults
from heldout.api.results import Results
from heldout.api.truth_results import TruthResults
from heldout.experiment.ledger import folder_path, read_manifest
from heldout.experiment.ledger.verify import Checked, check_files

REPORT = "report.html"
KINDS: dict[
    str | None,
    type[Results | MultiverseResults | MetaResults | BiasResults | TruthResults | ReproductionResults | DataProfile],
] = {
    None: Results,
    "multiverse": MultiverseResults,
    "meta": MetaResults,
    "bias": BiasResults,
    "truth": TruthResults,
    "reproduction": ReproductionResults,
    "profile": DataProfile,
}
"""By the kind that a manifest names, the class that loads the folder."""


@over_results
def verify(folder: str | Path) -> pl.DataFrame:
    """Check every file of a results folder: one row per file, with `problem` empty where it holds what was written.

    Each part must have the key that it is named by and the digest of what was written; the report must be the one that the
    findings give. ResultsError if the folder holds no results, or findings that are sealed and make no sense.
    """
    place = folder_path(folder)
    if not (place / "manifest.json").exists():
        read_manifest(place)  # which says why there is nothing to check
    checked = list(check_files(place))
    if not any(file.problem for file in checked[:2]):  # what the report is made from
        checked.extend(_check_report(place))
    schema = {"file": pl.String, "problem": pl.String}
    return pl.DataFrame([(row.file, row.problem) for row in checked], schema=schema, orient="row")


def _check_report(folder: Path) -> Iterator[Checked]:
    manifest = read_manifest(folder)
    if manifest.get("versions", {}).get("heldout") != __version__:
        return  # another version draws another page
    kind = KINDS[manifest.get("kind")]
    try:
        page = kind.load(folder).to_html().encode()
        same = (folder / REPORT).read_bytes() == page
    except FileNotFoundError:
        yield Checked(REPORT, "is missing; heldout report --html writes it anew")
    except OSError as error:
        yield Checked(REPORT, f"cannot be checked ({error})")
    else:
        yield Checked(REPORT, "" if same else "is not what the facts give; heldout report --html writes it anew")
