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
    """Print the report of a results folder, whatever was run there."""
    from heldout.api.bias_results import BiasResults
    from heldout.api.load import report as report_of
    from heldout.api.meta_results import MetaResults
    from heldout.api.reproduction_results import ReproductionResults
    from heldout.api.results import Results
    from heldout.api.truth_results import TruthResults

    results = report_of(folder, html=html)
    if isinstance(results, Results):
        from heldout.reports.terminal.study import render

        out.print(render(results.facts))
    elif isinstance(results, MetaResults):
        from heldout.reports.terminal.metric_quality import render as render_metrics

        out.print(render_metrics(results.report))
    elif isinstance(results, BiasResults):
        from heldout.reports.terminal.biases import render as render_biases

        out.print(render_biases(results.findings, results.title))
    elif isinstance(results, TruthResults):
        from heldout.reports.terminal.truth import render as render_truth

        out.print(render_truth(results.report))
    elif isinstance(results, ReproductionResults):
        from heldout.reports.terminal.reproduction import render as render_reproduction

        out.print(render_reproduction(results.record))
    else:
        from heldout.reports.terminal.multiverse import render as render_multiverse

        out.print(render_multiverse(results.report))
