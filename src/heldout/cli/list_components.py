"""`heldout list`: what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from heldout.cli.console import out
from heldout.cli.options import kinds


def list_components(
    kind: Annotated[
        str | None, typer.Argument(help="metrics, splits, recommenders, targets, …; all if not given.", autocompletion=kinds)
    ] = None,
) -> None:
    """List the components of a kind, or of all kinds, with a sentence each."""
    from heldout.api.list import list as listing
    from heldout.reports.render.terminal_catalogue import render_list

    components = listing(kind)
    for plural, rows in components:
        out.print(render_list(rows, plural))
    if components.remark:
        out.print(components.remark)
