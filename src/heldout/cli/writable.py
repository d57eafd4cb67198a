"""Whether a file can be written, asked before the work whose result it is for."""

from __future__ import annotations

from pathlib import Path

from heldout.errors import InputError, SpecError
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


def refuse_overwriting(output: Path | None, *inputs: str | Path | None) -> None:
    """InputError when a file to be written is one that is read: a path, a pattern, a folder or a text form that names it."""
    if output is None or not output.is_file():
        return
    from heldout.api.input_files import files_read

    for source in inputs:
        for read in files_read(source):
            inside = read.is_dir() and output.resolve().is_relative_to(read.resolve())
            if inside or read.samefile(output):
                why = f"it lies in {read}, which is read" if inside else f"it is also what is read ({source})"
                raise InputError(f"will not be written over: {why}", file=output, hint="name another file for the output")
