"""Arrays of all lengths as the columns of one Parquet file, each distinct one once, in as few bytes as hold it exactly.

An array that equals an earlier one is not stored again; one that holds a single value is that value; one that differs
from an earlier one in few places is stored as the difference; whole numbers take the fewest bytes that hold them, and
float64 takes float32 where nothing is lost. Columns are as long as `height`: shorter arrays are padded, longer ones wrapped.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import polars as pl

_WHOLE = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.int64)
_FEW = 4
"""An array is stored as its difference from another if at most one value in so many differs."""
_MOST = 32
"""Columns that the longest array is wrapped into, at most."""


class Columns:
    """Arrays to be written; `add` gives each its number."""

    def __init__(self) -> None:
        self.number_of: dict[tuple[str, str], int] = {}
        self.arrays: list[Any] = []
        self.layouts: list[dict[str, Any]] = []
        self.stored: dict[int, Any] = {}

    def add(self, array: Any, *, like: int | None = None, plus: int = 0) -> int:
        """Add an array of one dimension, which may resemble the array number `like`, `plus` a constant."""
        array = np.ascontiguousarray(array)
        key = (array.dtype.str, hashlib.sha256(array.data).hexdigest())
        if key not in self.number_of:
            self.number_of[key] = len(self.arrays)
            self.arrays.append(array)
            self.layouts.append(self._describe(array, like, plus))
        return self.number_of[key]

    def _describe(self, array: Any, like: int | None, plus: int) -> dict[str, Any]:
        layout: dict[str, Any] = {"dtype": array.dtype.str, "length": len(array)}
        whole = array.dtype.kind in "iu"
        if len(array) == 0:
            return layout
        if array.dtype.kind in "iub" and (array == array[0]).all():
            return {**layout, "value": int(array[0])}
        small = array
        if whole and like is not None and self.arrays[like].dtype == array.dtype and len(self.arrays[like]) == len(array):
            difference = array.astype(np.int64) - self.arrays[like] - plus
            if np.count_nonzero(difference) * _FEW <= len(array):
                layout |= {"like": like, "plus": plus}
                small = difference
        if whole:
            low, high = int(small.min()), int(small.max())
            small = small.astype(next(t for t in _WHOLE if np.iinfo(t).min <= low and high <= np.iinfo(t).max))
        elif array.dtype == np.float64:
            single = array.astype(np.float32)
            same = np.array_equal(single.astype(np.float64).view(np.int64), array.view(np.int64))
            small = single if same else array
        self.stored[len(self.layouts)] = small
        return layout

    def frame(self, height: int) -> tuple[pl.DataFrame, dict[str, Any]]:
        """The columns, about `height` high, and the header to read them by."""
        height = max(1, height, -(-max((len(a) for a in self.stored.values()), default=0) // _MOST))
        columns = {}
        for number, array in self.stored.items():
            for piece, start in enumerate(range(0, len(array), height)):
                values = array[start : start + height]
                columns[_name(number, piece)] = np.concatenate([values, np.zeros(height - len(values), array.dtype)])
        frame = pl.DataFrame(columns)
        return frame, {"height": height, "columns": self.layouts}


def read_columns(frame: pl.DataFrame, header: dict[str, Any], numbers: set[int]) -> dict[int, Any]:
    """The arrays with these numbers."""
    arrays: dict[int, Any] = {}
    for number in sorted(closure(header, numbers)):
        layout = header["columns"][number]
        length, dtype = layout["length"], np.dtype(layout["dtype"])
        if "value" in layout or length == 0:
            arrays[number] = np.full(length, layout.get("value", 0), dtype)
            continue
        pieces = [frame[_name(number, piece)].to_numpy() for piece in range(-(-length // header["height"]))]
        stored = (pieces[0] if len(pieces) == 1 else np.concatenate(pieces))[:length]
        if "like" in layout:
            stored = arrays[layout["like"]] + dtype.type(layout["plus"]) + stored.astype(dtype)
        arrays[number] = stored.astype(dtype)
    return arrays


def closure(header: dict[str, Any], numbers: set[int]) -> set[int]:
    """These arrays and those that they are stored as differences from."""
    every = set(numbers)
    for number in sorted(numbers, reverse=True):
        at: int | None = number
        while at is not None:
            every.add(at)
            at = header["columns"][at].get("like")
    return every


def names_of(header: dict[str, Any], numbers: set[int]) -> list[str]:
    """The columns to be read for these arrays."""
    names = []
    for number in sorted(closure(header, numbers)):
        layout = header["columns"][number]
        if "value" not in layout:
            names += [_name(number, piece) for piece in range(-(-layout["length"] // header["height"]))]
    return names


def _name(number: int, piece: int) -> str:
    return f"{number}" if piece == 0 else f"{number}.{piece}"
