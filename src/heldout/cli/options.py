"""What several verbs share: options under the same names, completion of names, and the check that a file can be written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from heldout.errors import SpecError
from heldout.storage.files import check_writable

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
FIGURES = (".pdf", ".svg", ".png")
"""Endings of figures."""


def writable(path: Path | None, *endings: str, what: str = "this", make_folder: bool = False) -> None:
    """Raise WriteError or SpecError early if a file cannot be written: no folder, a folder itself, another ending."""
    if path is None:
        return
    if endings and path.suffix.lower() not in endings:
        choices = " or ".join([", ".join(endings[:-1]), endings[-1]] if len(endings) > 1 else endings)
        raise SpecError(f"cannot write {what} as '{path.suffix}'", where=str(path), hint=f"use {choices}")
    check_writable(path, make_folder=make_folder)


def names_of(*kinds: str) -> Callable[[str], list[str]]:
    """Completes the names of components of these kinds, in any case of letters; of all kinds if none is named."""

    def complete(incomplete: str) -> list[str]:
        from heldout.api.describe import component_names

        return _beginning(incomplete, component_names(*kinds))

    return complete


def kinds(incomplete: str) -> list[str]:
    """Completes the kinds that `heldout list` knows."""
    from heldout.api.describe import kind_names

    return _beginning(incomplete, kind_names())


def _beginning(incomplete: str, names: list[str]) -> list[str]:
    """The names that begin so. What was typed stays as it is: shells drop what differs from it, and any case is read."""
    length = len(incomplete)
    return [incomplete + name[length:] for name in names if name[:length].casefold() == incomplete.casefold()]
