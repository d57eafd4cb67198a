"""Load the results of a folder, whatever was run there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from heldout.api.results import Results
from heldout.experiment.ledger import read_manifest

if TYPE_CHECKING:
    from heldout.api.multiverse_results import MultiverseResults


def load(folder: str | Path) -> Results | MultiverseResults:
    """The results that a run or a multiverse left in a folder."""
    if read_manifest(folder).get("kind") != "multiverse":
        return Results.load(folder)
    from heldout.api.multiverse_results import MultiverseResults

    return MultiverseResults.load(folder)
