"""Options that several verbs have, under the same names and with the same words."""

from __future__ import annotations

from typing import Annotated

import typer

Threads = Annotated[int | None, typer.Option(help="Threads to use; all cores if not given.", min=1)]
Block = Annotated[int, typer.Option(help="Users whose scores are in memory at once.", min=1)]
Engine = Annotated[
    str | None, typer.Option(help="Where systems are fitted: here, or ray (side by side).", show_default=False)
]
Address = Annotated[
    str | None,
    typer.Option(help="Ray's cluster: auto, or HOST:PORT; without it, Ray starts on this machine.", show_default=False),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors, and what --json or --format asks for.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say how long each stage took.")]
