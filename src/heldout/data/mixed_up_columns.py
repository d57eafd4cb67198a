"""Columns that are not what they were taken for: swapped ones, times as ratings, and a first column that counts the rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from heldout.data.dialect import is_number
from heldout.errors import InputError
from heldout.tables import Log

if TYPE_CHECKING:
    from heldout.data.text_rows import TextRows

_LEVELS = 20
"""Ratings have at most this many distinct values where they are stars or points."""
_HIGHEST = 100
_FIRST, _HEAD = 4_096, 100_000
_SECONDS = 1e8
"""Whole numbers beyond this are times since 1970, not ratings."""
_SHOWN = 50
"""Rows that are looked at once the first column counts."""
_FEWEST = 3
"""Rows that must count up before it is no chance, where nothing else tells."""
_STARS = 10
"""Whole numbers above this are ids or counts rather than ratings."""
_DATE = re.compile(r"\d{4}[-/]\d")


def refuse_unnamed_times(log: Log) -> None:
    """InputError when the third column of a text without a header holds times, which were taken for ratings."""
    if log.time is None and len(log) and log.value.min() >= _SECONDS and not np.any(log.value != np.floor(log.value)):
        raise InputError(
            "the third column may be times, or ratings",
            file=log.source,
            found=f"{log.value[0]:.0f}",
            hint="pass value=none, time=3 if they are times, or value=3 if they are ratings",
        )


def refuse_swapped(log: Log, labels: Mapping[str, str]) -> None:
    """InputError when what is taken for the rating looks like ids or times, and another column like ratings.

    The signs of a swap with the users (or items): a handful of users, more distinct ratings than users, all of them whole
    numbers, and the same user and item in row after row, since many people give an item the same stars.
    """
    if "value" not in labels or len(log) < _LEVELS:
        return
    value = labels["value"]
    head = log.value[:_HEAD]
    if np.any(head != np.floor(head)):
        return
    for role, ids in (("user", log.user_id), ("item", log.item_id)):
        if any(ids.head(rows).n_unique() > _LEVELS for rows in (_FIRST, _HEAD)):
            continue
        few, many = ids.n_unique(), len(np.unique(log.value))
        if few <= _LEVELS and many > few and _stars(ids) and _repeat(log):
            raise InputError(
                f"the columns of {role}s and ratings seem to be swapped: pairs of user and item repeat",
                file=log.source,
                column=labels[role],
                found=many,
                expected=f"no more distinct ratings than {role}s ({few:,})",
                hint=f"pass {role}={value}, value={labels[role]}, or value=none if there are no ratings",
            )
    if log.time is not None and head.min() >= _SECONDS and int(np.abs(log.time).max()) < _LEVELS:
        raise InputError(
            f"the columns of ratings and times seem to be swapped: a time is {log.time[0]}",
            file=log.source,
            column=value,
            found=f"{head[0]:.0f}",
            expected="a rating",
            hint=f"pass value={labels['time']}, time={value}",
        )


def _stars(ids: pl.Series) -> bool:
    """Whether ids could be ratings: small numbers."""
    numbers = ids.unique().cast(pl.Float64, strict=False)
    return numbers.null_count() == 0 and bool((numbers.abs() <= _HIGHEST).all())


def _repeat(log: Log) -> bool:
    """Whether (user, item) pairs repeat among the first rows."""
    head = pl.DataFrame({"user": log.user_id.head(_HEAD), "item": log.item_id.head(_HEAD)})
    return bool(head.n_unique() < head.height)


def refuse_index(users: pl.Series, rows: TextRows, order: Sequence[str]) -> None:
    """InputError when the users of a text without a header are 0, 1, 2, … row by row and the next columns could be them.

    So of `0,196,242,3,881250949`, where 242 is no rating and 3 no time, and of `0,196,242,3`; but not of a test set of one
    row for each user, such as `0,1193,5,978300760`.
    """
    if len(users) == 0 or rows.width < 3 or not _counts(users):
        return
    records = islice(rows.dialect.records(rows.body[: 1 << 16]), _SHOWN)
    shown_rows = [fields for _, fields in records if len(fields) == rows.width]
    columns = list(zip(*shown_rows, strict=True))
    if len(columns) < 3 or not _ids(columns[1]) or not _ids(columns[2]):
        return
    late = look_like_times(columns[4]) if len(columns) > 4 else False
    number = len(columns) == 3 or (all(map(is_number, columns[3])) and not look_like_times(columns[3]))
    many = len(users) >= _FEWEST and _above(columns[2], _STARS) and not look_like_times(columns[2])
    if number and (late or many):
        shown = order[: rows.width - 1]
        shifted = ", ".join(f"{role}={place}" for place, role in enumerate(shown, start=2))
        usual = ", ".join(f"{role}={place}" for place, role in enumerate(shown, start=1))
        raise InputError(
            "the first column counts the rows: it may be an index, or users with one row each",
            file=rows.name,
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
