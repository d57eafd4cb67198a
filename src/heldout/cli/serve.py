"""`heldout serve`: the page over a folder of results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from heldout.cli.console import errors


def serve(
    folder: Annotated[Path, typer.Argument(help="A folder of results, or one result.", show_default=False)],
    host: Annotated[
        str, typer.Option(help="Where to listen; elsewhere than here, everything needs the token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes one that is free.", min=0, max=65535)] = 8765,
) -> None:
    """Show a folder of results in the browser: search, compare, watch, start and download studies, until Ctrl-C.

    It answers this machine alone, shows nothing outside the folder, and starts only what the catalogue has.

    heldout serve results
    """
    from heldout.web.serve import serve as serve_pages

    serve_pages(folder, host=host, port=port, notify=_say)


def _say(message: str) -> None:
    errors.print(message, markup=False, soft_wrap=True)
