"""`heldout report`: show the results of a folder again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import out


def report(
    folder: Annotated[Path, typer.Argument(help="A results folder.", show_default=False)],
    html: Annotated[bool, typer.Option("--html", help="Also write report.html anew.")] = False,
) -> None:
    """Print the report of a results folder, of a study or of a multiverse."""
    from heldout.api.results import Results
    from heldout.experiment.ledger import read_manifest
    from heldout.reports.terminal.study import render

    if read_manifest(folder).get("kind") == "multiverse":
        from heldout.api.multiverse_results import MultiverseResults
        from heldout.reports.terminal import multiverse as multiverse_terminal

        found = MultiverseResults.load(folder)
        if html:
            found.save(folder)
        shown = multiverse_terminal.render(found.findings, found.title, failed=found.failed, left_out=found.left_out)
        out.print(shown)
        return
    results = Results.load(folder)
    if html:
        results.save(folder)
    out.print(render(results.facts))
