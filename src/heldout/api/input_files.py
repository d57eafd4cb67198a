"""Which files an input names, so that none of them is written over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from heldout.catalogue.text import Call, parse
from heldout.data.file_patterns import files_of, is_pattern
from heldout.errors import InputError, SpecError


def refuse_overwriting(output: str | Path | None, *inputs: Any) -> None:
    """InputError when a file to be written is one that is read: a path, a pattern, a folder or a text form that names it."""
    file = None if output is None else Path(output)
    if file is None or not file.is_file():
        return
    for source in inputs:
        for read in files_read(source):
            inside = read.is_dir() and file.resolve().is_relative_to(read.resolve())
            if inside or read.samefile(file):
                why = f"it lies in {read}, which is read" if inside else f"it is also what is read ({source})"
                raise InputError(f"will not be written over: {why}", file=file, hint="name another file for the output")


def files_read(source: Any) -> Iterator[Path]:
    """The files and folders there are of those that an input names: a path, a pattern or a text form; none of a table."""
    if not isinstance(source, str | Path):
        return
    place = Path(source).expanduser()
    if place.exists():
        yield place
        return
    try:
        if "(" in str(source):
            for text in _texts(parse(str(source))):
                yield from files_read(text)
        elif is_pattern(source):
            yield from files_of(source)
    except (SpecError, InputError):
        return  # what is wrong with an input is told where it is read


def _texts(value: Any) -> Iterator[str]:
    """All texts among the values of a text form, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Call):
        for argument in (*value.args, *value.kwargs.values()):
            yield from _texts(argument)
    elif isinstance(value, list | tuple):
        for element in value:
            yield from _texts(element)
