"""`heldout power`: how many users a difference needs to be found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.api.kept_results import over_results
from heldout.cli.console import out, write_json
from heldout.cli.options import names_of


@over_results
def power(
    folder: Annotated[Path, typer.Argument(help="A results folder; this one if not given.")] = Path(),
    metric: Annotated[
        str | None,
        typer.Option(
            "-m",
            "--metric",
            help="The metric; the run's first if not given.",
            autocompletion=names_of("metric"),
            show_default=False,
        ),
    ] = None,
    effect: Annotated[
        float, typer.Option(help="The least difference in the metric that matters.", show_default=False)
    ] = ...,  # type: ignore[assignment]
    wanted: Annotated[float, typer.Option("--power", help="The chance that it is found.")] = 0.8,
    level: Annotated[float, typer.Option(help="The level of significance.")] = 0.05,
    comparisons: Annotated[int, typer.Option(help="Comparisons that the level is divided by (Bonferroni).", min=1)] = 1,
    baseline: Annotated[str | None, typer.Option(help="Only pairs with this system.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say how many users a paired t test needs to find a difference, from how much users differ in results at hand.

    heldout power RESULTS --metric "nDCG(gain=binary)@10" --effect 0.005
    """
    from heldout.api.power import power as plan
    from heldout.reports.power import document
    from heldout.reports.render import terminal

    rows = plan(
        folder,
        effect,
        metric=metric,
        power=wanted,
        level=level / comparisons,
        baseline=baseline,
    )
    if as_json:
        write_json(rows.to_dicts())
    else:
        out.print(terminal.document(document(rows, effect, wanted, level, comparisons)))
