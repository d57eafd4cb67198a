"""Whether a file can be written, asked before the work whose result it is for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heldout.errors import InputError, SpecError
from heldout.writing import check_writable

FIGURES = (".pdf", ".svg", ".png")
"""Endings of figures."""


def writable(path: Path | None, *endings: str, what: str = "this", make_folder: bool = False) -> None:
    """WriteError or SpecError when a file could not be written at the end: no folder, a folder itself, another ending."""
    if path is None:
        return
    if endings and path.suffix.lower() not in endings:
        known = " or ".join([", ".join(endings[:-1]), endings[-1]] if len(endings) > 1 else endings)
        raise SpecError(f"cannot write {what} as '{path.suffix}'", where=str(path), hint=f"use {known}")
    check_writable(path, make_folder=make_folder)


def refuse_overwriting(output: Path | None, *inputs: str | Path | None) -> None:
    """InputError when a file to be written is one that is read: a path, a pattern, a folder or a text form that names it."""
    if output is None or not output.is_file():
        return
    for given in inputs:
        for read in _files_read(given):
            inside = read.is_dir() and output.resolve().is_relative_to(read.resolve())
            if inside or read.samefile(output):
                why = f"it lies in {read}, which is read" if inside else f"it is also what is read ({given})"
                raise InputError(f"will not be written over: {why}", file=output, hint="name another file for the output")


def _files_read(given: str | Path | None) -> Iterator[Path]:
    """The files and folders there are of those that an input names."""
    from heldout.catalogue.text import parse
    from heldout.data.file_patterns import files_of, is_pattern

    if given is None:
        return
    place = Path(given).expanduser()
    if place.exists():
        yield place
        return
    try:
        if "(" in str(given):
            for text in _texts(parse(str(given))):
                yield from _files_read(text)
        elif is_pattern(given):
            yield from files_of(given)
    except (SpecError, InputError):
        return  # what is wrong with an input is told where it is read


def _texts(value: Any) -> Iterator[str]:
    """All texts among the values of a text form, however deep."""
    from heldout.catalogue.text import Call

    if isinstance(value, str):
        yield value
    elif isinstance(value, Call):
        for one in (*value.args, *value.kwargs.values()):
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
