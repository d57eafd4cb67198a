"""Small files, and what is read from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import heldout as ho
from heldout import HeldoutError, read, read_log, read_side
from heldout.data.runs import read_run
from heldout.tables import Log

WAYS: list[Callable[[Any], Any]] = [read, lambda p: read(p, on_bad_rows="skip"), read_run, read_side]


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def rows(log: Log) -> list[tuple[Any, ...]]:
    return list(zip(log.user_id.to_list(), log.item_id.to_list(), log.value.tolist(), strict=True))


def csv_log(folder: Path, text: str | bytes, **options: Any) -> Log:
    """Delimited text, read by the reader of such text."""
    return ho.readers.Csv(str(write(folder / "r.txt", text)), **options).read()


def log_of(folder: Path, text: str | bytes, name: str = "r.csv", **columns: Any) -> Log:
    """A file of this name, read by whichever reader recognises it."""
    return read_log(write(folder / name, text), **columns)


def refused_or_read(path: Path) -> None:
    """Every way of reading a file gives something or a HeldoutError that can be shown."""
    for way in WAYS:
        try:
            way(path)
        except HeldoutError as error:
            str(error).encode()
