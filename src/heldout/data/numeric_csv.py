"""The quick way through a delimited text whose wanted columns are all plain numbers, as most rating files are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from heldout.data.separator import WHITESPACE
from heldout.data.text_origin import FileOrigin

_WHOLE = ("user", "item", "time")


def plain_columns(origin: FileOrigin, places: Mapping[str, int]) -> dict[str, pl.Series] | None:
    """The columns by role, typed; None at the first thing that is not plain, so that an exact reader takes over.

    Ids and times are whole numbers, other roles numbers without an exponent. A quoted, blank-padded or missing field, an
    id such as 007 and a row of another width are not plain.
    """
    separator = origin.dialect.separator
    mark = b"" if separator == WHITESPACE else separator.encode()
    if origin.dialect.quoted or not 1 <= len(mark) <= 2 or len(set(places.values())) < len(places):
        return None
    from heldout.kernels.parsing import ID, NUMBER, SKIP, TIME, parse_rows, powers_of_ten

    kinds, slots = np.full(origin.width, SKIP, dtype=np.int64), np.zeros(origin.width, dtype=np.int64)
    wholes = [role for role in places if role in _WHOLE]
    numbers = [role for role in places if role not in _WHOLE]
    for role, place in places.items():
        kinds[place] = NUMBER if role in numbers else TIME if role == "time" else ID
        slots[place] = numbers.index(role) if role in numbers else wholes.index(role)
    text = np.frombuffer(origin.text, dtype=np.uint8)[origin.start :]
    sample = text[: 1 << 16]
    if len(text) > len(sample):  # a text that is not plain mostly shows it soon
        sample = sample[: int(np.flatnonzero(sample == 10)[-1]) + 1] if (sample == 10).any() else sample[:0]
        room = int((sample == 10).sum())
        tried = np.empty((len(wholes), room), np.int64), np.empty((len(numbers), room), np.float64)
        if parse_rows(sample, mark[0], (mark + b"\0")[1], kinds, slots, *tried, powers_of_ten()) < 0:
            return None
    room = origin.text.count(b"\n", origin.start) + 1
    whole, number = np.empty((len(wholes), room), np.int64), np.empty((len(numbers), room), np.float64)
    rows = parse_rows(text, mark[0], (mark + b"\0")[1], kinds, slots, whole, number, powers_of_ten())
    if rows <= 0:
        return None
    columns = {role: pl.Series(role, whole[k, :rows]) for k, role in enumerate(wholes)}
    return columns | {role: pl.Series(role, number[k, :rows]) for k, role in enumerate(numbers)}
