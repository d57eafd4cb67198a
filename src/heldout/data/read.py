"""The way in: any source of ratings becomes Interactions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, cast

from heldout.catalogue import classes, make
from heldout.data.frames import is_frame, log_from_frame
from heldout.data.reader import Reader
from heldout.data.recognise import reader_for
from heldout.errors import InputError, SpecError
from heldout.tables import Interactions, Keep

_CALL = re.compile(r"\s*([^\W\d][\w\-+]*)\s*(\(.*\))?\s*\Z", re.DOTALL)


def read(source: Any, *, duplicates: Keep = "error", **columns: Any) -> Interactions:
    """Ratings from a path, a text form such as `movielens("ml-1m")`, a Reader or a frame.

    `duplicates` says what a repeated (user, item) pair becomes: the latest, the sum, the maximum, or an error. Columns
    are found by their usual names unless named: `read("log.csv", user="who", item="what", value=None)`.
    """
    if duplicates not in ("latest", "sum", "max", "error"):
        raise SpecError(f"duplicates must be one of latest, sum, max, error, found '{duplicates}'")
    if isinstance(source, Interactions):
        return source
    if isinstance(source, str | Path | Reader):
        return reader_of(source, **columns).read().interactions(duplicates)
    if is_frame(source):
        return log_from_frame(source, **columns).interactions(duplicates)
    raise InputError(
        f"a {type(source).__name__} is no source of ratings",
        hint='give a path, a text form such as movielens("ml-1m"), a reader or a frame',
    )


def reader_of(source: str | Path | Reader, **columns: Any) -> Reader:
    """The reader that a path, a text form or a reader means.

    A text is a path if such a file exists or it does not look like a reader's text form.
    """
    if isinstance(source, Reader):
        if columns:
            raise SpecError(f"{source} has its own columns, so {', '.join(columns)} cannot be chosen here")
        return source
    if isinstance(source, str) and not Path(source).expanduser().exists():
        match = _CALL.match(source)
        names = {name.casefold() for cls in classes("reader") for name in (cls.key, *cls.aliases)} if match else set()
        if match and (match.group(2) or match.group(1).casefold() in names):
            if columns:
                raise SpecError(f"{source} has its own columns, so {', '.join(columns)} cannot be chosen beside it")
            return cast(Reader, make("reader", source))
    return reader_for(source, **columns)
