"""Which file is being read, and how much of it is parsed, for whoever shows progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heldout.kernels.compile_time import working_time


@dataclass(kw_only=True)
class FileReading:
    """A file that is being read. Most files are parsed as a whole, so that nothing says how far that is."""

    name: str
    size: int | None
    """Bytes of the file as it is stored; None of a pipe."""
    parsed: int = 0
    """Bytes of the file whose rows are parsed; 0 until there are some, and where it is parsed as a whole."""
    parsed_at: float = 0.0
    """When these were parsed, in seconds of `working_time`."""
    first_parsed: int = 0
    first_parsed_at: float = 0.0
    """The same of the first block, which also loads the parser: it says nothing of the others."""

    def advance(self, parsed: int, now: Callable[[], float] = working_time) -> None:
        """Note that the file is parsed so far."""
        self.parsed_at = now()
        if self.parsed == 0:
            self.first_parsed, self.first_parsed_at = parsed, self.parsed_at
        self.parsed = parsed
        _call_listeners()


_UNDER_WAY: list[FileReading] = []
_LISTENERS: list[Callable[[], None]] = []


@contextmanager
def file_reading(path: str | Path) -> Iterator[FileReading]:
    """Say that a file is read and parsed meanwhile."""
    file = Path(path)
    size = file.stat().st_size if file.is_file() else None
    reading = FileReading(name=file.name, size=size)
    _UNDER_WAY.append(reading)
    try:
        _call_listeners()
        yield reading
    finally:
        _UNDER_WAY.remove(reading)


def file_being_read() -> FileReading | None:
    """The file that is being read in this process; None where none is. Of several, that which was begun first."""
    return next(iter(tuple(_UNDER_WAY)), None)


@contextmanager
def listening(listener: Callable[[], None]) -> Iterator[None]:
    """Call `listener` whenever a file begins to be read or is parsed further: a stage may be one file that takes minutes."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)


def _call_listeners() -> None:
    for listener in tuple(_LISTENERS):
        listener()
