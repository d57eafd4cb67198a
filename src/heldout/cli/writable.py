"""Whether a file can be written, asked before the work whose result it is for."""

from __future__ import annotations

from pathlib import Path

from heldout.errors import SpecError
from heldout.writing import check_writable

FIGURES = (".pdf", ".svg", ".png")
"""Endings of figures."""


def writable(path: Path | None, *endings: str, what: str = "this", make_folder: bool = False) -> None:
    """WriteError or SpecError when a file could not be written at the end: no folder, a folder itself, another ending."""
    if path is None:
        return
    if endings and path.suffix.lower() not in endings:
        choices = " or ".join([", ".join(endings[:-1]), endings[-1]] if len(endings) > 1 else endings)
        raise SpecError(f"cannot write {what} as '{path.suffix}'", where=str(path), hint=f"use {choices}")
    check_writable(path, make_folder=make_folder)
