"""The way in: any source of ratings becomes Interactions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

from heldout.catalogue import classes, make
from heldout.data.columns import refuse_columns
from heldout.data.frames import is_column, is_frame, log_from_frame, not_a_table
from heldout.data.paths import is_there
from heldout.data.reader import Reader
from heldout.data.recognise import reader_for
from heldout.errors import InputError, SpecError
from heldout.tables import Interactions, Keep, Log
from heldout.tables.log import merge_pairs

_CALL = re.compile(r"\s*([^\W\d][\w\-+]*)\s*(\(.*\))?\s*\Z", re.DOTALL)


def read(source: Any, *, duplicates: Keep = "error", **columns: Any) -> Interactions:
    """Ratings from a path, a pattern of many, a text form such as `movielens("ml-1m")`, a Reader or a frame.

    `duplicates` says what a repeated (user, item) pair becomes: the latest, the sum, the maximum, or an error. Sums
    and maxima carry the time of the pair's first row. Columns are found by their usual names unless named:
    `read("log.csv", user="who", item="what", value=None)`. Bad rows are errors;
    `on_bad_rows="skip"` leaves them out, and `read_log` tells how many there were.
    """
    if duplicates not in ("latest", "sum", "max", "error"):
        raise SpecError(where="duplicates", found=duplicates, expected="one of latest, sum, max, error")
    if isinstance(source, Interactions):
        return source
    log = read_log(source, **columns)
    taken, name = log.columns(), log.source
    del log  # large data need half the memory where nothing else holds the columns
    return merge_pairs(taken, name, duplicates)


def read_log(source: Any, **columns: Any) -> Log:
    """As `read`, before repeated pairs are made one: the rows as they were written, and the bad ones that were skipped."""
    if isinstance(source, str | Path | Reader):
        return reader_of(source, **columns).read()
    if is_frame(source):
        return log_from_frame(source, **columns)
    raise no_ratings(source)


def no_ratings(source: object) -> InputError:
    """The error for a value that is not a source of ratings."""
    if is_column(source):
        return not_a_table(source)
    parts = {"train", "test"} <= set(dir(source))
    return InputError(
        "cannot read ratings from this type",
        found=type(source).__name__,
        expected='a path, a text form such as movielens("ml-1m"), a reader, a frame, a dict, a matrix or arrays',
        hint="pass split.train or split.test" if parts else "",
    )


def reader_of(source: str | Path | Reader, **columns: Any) -> Reader:
    """The reader that a path, a text form or a reader means.

    A text is a path if such a file exists or it does not look like a reader's text form.
    """
    if isinstance(source, Reader):
        if set(columns) == {"on_bad_rows"}:
            return with_bad_rows(source, columns["on_bad_rows"])
        refuse_columns(columns, source)
        return source
    if isinstance(source, str) and not is_there(source) and is_text_form(source):
        return reader_of(cast(Reader, make("reader", source)), **columns)
    return reader_for(source, **columns)


def is_text_form(text: str) -> bool:
    """Whether a text looks like a reader's text form: a call, or the bare name of a reader."""
    match = _CALL.match(text)
    if match is None:
        return False
    names = {name.casefold() for cls in classes("reader") for name in (cls.key, *cls.aliases)}
    return bool(match.group(2)) or match.group(1).casefold() in names


def with_bad_rows(reader: Reader, on_bad_rows: str) -> Reader:
    """The reader that skips bad rows or not; SpecError when it has no rows that could be bad by themselves."""
    if not hasattr(reader, "on_bad_rows"):
        if on_bad_rows == "error":
            return reader
        raise SpecError(f"{reader.key} cannot skip bad rows", where="on_bad_rows", found=on_bad_rows, expected="error")
    return reader.replace(on_bad_rows=on_bad_rows)
