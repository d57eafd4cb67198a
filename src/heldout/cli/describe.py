"""`heldout describe`: one component in full, or the page of a warning's code."""

from __future__ import annotations

from typing import Annotated

import typer

from heldout.cli.console import out
from heldout.cli.options import names_of


def describe(
    name: Annotated[
        str,
        typer.Argument(
            help="A component, such as nDCG, a code, such as HO201, or an abbreviation, such as AI-AR or DP.",
            autocompletion=names_of(),
            show_default=False,
        ),
    ],
) -> None:
    """Say what a component does: parameters, formula, what it assumes, an example, references."""
    from heldout.api.describe import describe as pages_of
    from heldout.reports.render.terminal_catalogue import render_card

    for title, sections in pages_of(name, width=out.width):
        out.print(render_card(title, sections))
