"""A first column that only counts the rows, as some programs write it, taken for the users."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

import numpy as np
import polars as pl

from heldout.data.separator import is_number
from heldout.data.text_origin import FileOrigin
from heldout.errors import InputError

_SHOWN = 50
"""Rows that are looked at once the first column counts."""
_FEWEST = 3
"""Rows that must count up before it is no chance, where nothing else tells."""
_STARS = 10
"""Whole numbers above this are ids or counts rather than ratings."""
_DATE = re.compile(r"\d{4}[-/]\d")
_SECONDS = 1e8
"""Whole numbers beyond this are times since 1970."""


def refuse_index(users: pl.Series, origin: FileOrigin, order: Sequence[str]) -> None:
    """InputError when the users of a text without a header are 0, 1, 2, … row by row and the next columns could be them.

    So of `0,196,242,3,881250949`, where 242 is no rating and 3 no time, and of `0,196,242,3`; but not of a test set of one
    row for each user, such as `0,1193,5,978300760`.
    """
    if len(users) == 0 or origin.width < 3 or not _counts(users):
        return
    records = islice(origin.dialect.records(origin.head, 1), _SHOWN)
    rows = [fields for _, fields in records if len(fields) == origin.width]
    columns = list(zip(*rows, strict=True))
    if len(columns) < 3 or not _ids(columns[1]) or not _ids(columns[2]):
        return
    late = look_like_times(columns[4]) if len(columns) > 4 else False
    number = len(columns) == 3 or (all(map(is_number, columns[3])) and not look_like_times(columns[3]))
    many = len(users) >= _FEWEST and _above(columns[2], _STARS) and not look_like_times(columns[2])
    if number and (late or many):
        shown = order[: origin.width - 1]
        shifted = ", ".join(f"{role}={place}" for place, role in enumerate(shown, start=2))
        usual = ", ".join(f"{role}={place}" for place, role in enumerate(shown, start=1))
        raise InputError(
            "the first column counts the rows: it may be an index, or users with one row each",
            file=origin.name,
            found=int(users[0]),
            hint=f"pass {shifted} if it is an index, or {usual} if it is not; or add names of columns as the first line",
        )


def _counts(users: pl.Series) -> bool:
    """Whether a column is 0, 1, 2, … or 1, 2, 3, … to its end."""
    if str(users[0]) not in ("0", "1") or (len(users) > 1 and str(users[1]) != str(int(users[0]) + 1)):
        return False
    whole = users.cast(pl.Int64, strict=False)
    return not whole.null_count() and bool((whole.to_numpy() == np.arange(len(users)) + int(users[0])).all())


def _ids(fields: Sequence[str]) -> bool:
    """Whether fields could be ids: whole numbers, or texts that are no numbers."""
    return all(field.isdecimal() or (field and not is_number(field)) for field in fields)


def _above(fields: Sequence[str], limit: float) -> bool:
    return all(field.isdecimal() for field in fields) and max(map(float, fields)) > limit


def look_like_times(fields: Sequence[str]) -> bool:
    """Whether fields could be times: large numbers, or dates."""
    return all(float(field) >= _SECONDS if is_number(field) else _DATE.match(field) is not None for field in fields)
