"""Load the results of a folder, whatever was run there."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from heldout.api.kept_results import over_results
from heldout.api.kinds.kind import kind_of
from heldout.api.results import Results, require_kind
from heldout.experiment.ledger import read_manifest

F = TypeVar("F")


@over_results
def load(folder: str | Path) -> Results[Any]:
    """The results of a folder, whatever was run there; they print themselves as the report.

    Figures and tables have names: `load("results").figures["leaderboard"]`, `load("results").tables["leaderboard"]`.
    `load("results").save("results")` writes report.html again.
    """
    return kind_of(read_manifest(folder)).read(folder)


def load_kind(subject: str | Path | Results[Any], findings: type[F]) -> Results[F]:
    """Results or those of a folder; ResultsError if their findings are not of this class."""
    return require_kind(subject if isinstance(subject, Results) else load(subject), findings)


@over_results
def table_csv(folder: str | Path) -> str:
    """The table of a results folder as CSV for a spreadsheet: the leaderboard, the universes, or what else was measured."""
    results = load(folder)
    text: str = results.tables[results._kind.main].to_csv()
    return text
