"""Load the results of a folder, whatever was run there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from heldout.api.kept_results import over_results
from heldout.api.results import Results
from heldout.errors import SpecError
from heldout.experiment.ledger import read_manifest

if TYPE_CHECKING:
    from heldout.api.bias_results import BiasResults
    from heldout.api.data_profile import DataProfile
    from heldout.api.meta_results import MetaResults
    from heldout.api.multiverse_results import MultiverseResults
    from heldout.api.reproduction_results import ReproductionResults
    from heldout.api.truth_results import TruthResults


@over_results
def load(
    folder: str | Path,
) -> Results | MultiverseResults | MetaResults | BiasResults | TruthResults | ReproductionResults | DataProfile:
    """The results that were left in a folder, whatever was run there."""
    kind = read_manifest(folder).get("kind")
    if kind == "multiverse":
        from heldout.api.multiverse_results import MultiverseResults

        return MultiverseResults.load(folder)
    if kind == "meta":
        from heldout.api.meta_results import MetaResults

        return MetaResults.load(folder)
    if kind == "bias":
        from heldout.api.bias_results import BiasResults

        return BiasResults.load(folder)
    if kind == "truth":
        from heldout.api.truth_results import TruthResults

        return TruthResults.load(folder)
    if kind == "reproduction":
        from heldout.api.reproduction_results import ReproductionResults

        return ReproductionResults.load(folder)
    if kind == "profile":
        from heldout.api.data_profile import DataProfile

        return DataProfile.load(folder)
    return Results.load(folder)


@over_results
def table_csv(folder: str | Path) -> str:
    """The table of a results folder as CSV for a spreadsheet: the leaderboard, the universes, or what else was measured."""
    from heldout.reports.csv_text import csv_text

    results = load(folder)
    if isinstance(results, Results):
        return results.to_csv()
    return csv_text(results.universes if hasattr(results, "universes") else results.table)


@over_results
def report(
    folder: str | Path, *, html: bool = False, setting: int | None = None
) -> Results | MultiverseResults | MetaResults | BiasResults | TruthResults | ReproductionResults | DataProfile:
    """The report of a results folder, which prints itself; with `html`, report.html is written there anew.

    Its figures and tables have names: `report("results").plot("leaderboard")`, `report("results").tables["leaderboard"]`.
    With `setting`, the number of one, they begin with that setting.
    """
    results = load(folder)
    if html:
        results.save(folder)
    if setting is None:
        return results
    if not isinstance(results, Results):
        raise SpecError("these results have no settings", where="setting", hint="leave it out")
    return results.at(setting)
