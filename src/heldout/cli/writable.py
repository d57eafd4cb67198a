"""Whether a file can be written, asked before the work whose result it is for."""

from __future__ import annotations

from pathlib import Path

from heldout.errors import InputError, SpecError

FIGURES = (".pdf", ".svg", ".png")
"""Endings of figures."""


def writable(path: Path | None, *endings: str, what: str = "this") -> None:
    """InputError or SpecError when a file could not be written at the end: no folder, a folder itself, another ending."""
    if path is None:
        return
    if endings and path.suffix.lower() not in endings:
        known = " or ".join([", ".join(endings[:-1]), endings[-1]] if len(endings) > 1 else endings)
        raise SpecError(f"cannot write {what} as '{path.suffix}'", where=str(path), hint=f"use {known}")
    if path.is_dir():
        raise InputError("cannot be written (Is a directory)", file=path, hint="name a file in it")
    if not path.parent.is_dir():
        raise InputError("cannot be written (No such file or directory)", file=path, hint=f"make the folder {path.parent}")
