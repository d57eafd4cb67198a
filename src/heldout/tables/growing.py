"""Columns that grow at their end, a part at a time, without standing in memory twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

MANY = 1 << 20
"""Rows from which on ids that fit take 4 bytes: large data are mostly ids."""


class GrowingColumn:
    """Numbers. The system enlarges a large array in place, so that there are never two of them."""

    def __init__(self) -> None:
        self.rows: NDArray[Any] = np.empty(0)
        self._parts = 0

    def extend(self, part: NDArray[Any]) -> None:
        """Add rows; the first part is taken as it is, and no part is changed."""
        self._parts += 1
        if self._parts == 1:
            self.rows = part
            return
        length = len(self.rows)
        if self._parts == 2:
            self.rows = np.concatenate([self.rows, part])
            return
        self.rows.resize(length + len(part), refcheck=False)
        self.rows[length:] = part


class GrowingIds:
    """Ids: whole numbers, of 4 bytes where there are many and all fit, or texts as soon as one part has texts."""

    def __init__(self) -> None:
        self._parts: list[pl.Series] = []
        self._rows = self._narrowed = 0

    def extend(self, part: pl.Series) -> None:
        """Add ids."""
        self._parts.append(part)
        self._rows += len(part)
        if self._rows >= MANY:
            self._parts[self._narrowed :] = map(_narrow, self._parts[self._narrowed :])
            self._narrowed = len(self._parts)

    def series(self) -> pl.Series:
        """All of them as one column."""
        kinds = {part.dtype for part in self._parts}
        if len(kinds) > 1:
            kind = pl.Int64 if all(kind.is_integer() for kind in kinds) else pl.String
            self._parts = [part.cast(kind) for part in self._parts]
        return pl.concat(self._parts)


def _narrow(ids: pl.Series) -> pl.Series:
    if ids.dtype != pl.Int64:
        return ids
    fit = len(ids) == 0 or (int(ids.min()) >= -(2**31) and int(ids.max()) < 2**31)  # type: ignore[arg-type]
    return ids.cast(pl.Int32) if fit else ids
