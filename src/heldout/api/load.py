"""Load the results of a folder, whatever was run there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from heldout.api.results import Results
from heldout.experiment.ledger import read_manifest

if TYPE_CHECKING:
    from heldout.api.meta_results import MetaResults
    from heldout.api.multiverse_results import MultiverseResults


def load(folder: str | Path) -> Results | MultiverseResults | MetaResults:
    """The results that a run, a multiverse or a trial of metrics left in a folder."""
    kind = read_manifest(folder).get("kind")
    if kind == "multiverse":
        from heldout.api.multiverse_results import MultiverseResults

        return MultiverseResults.load(folder)
    if kind == "meta":
        from heldout.api.meta_results import MetaResults

        return MetaResults.load(folder)
    return Results.load(folder)
