"""Columns that wait in a file: they are read like any others, and the system may take their memory back at any time."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.storage.files import scratch_file
from heldout.tables.arrays import Scalar


def mapped(column: NDArray[Scalar], folder: Path | None = None) -> NDArray[Scalar]:
    """The same numbers in a file without a name in `folder` (None: the system's temporary folder), read-only.

    The file is gone with the array, also if the process is killed. WriteError where there is no room for it.
    """
    if not len(column):
        return column
    with scratch_file(folder) as file:
        file.write(np.ascontiguousarray(column).data)
        file.flush()
        numbers = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(numbers, dtype=column.dtype)


def let_go(column: NDArray[Any] | None) -> None:
    """Give back the memory of a mapped column, whose numbers are read again when they are asked for; others stay."""
    owner: Any = column
    while isinstance(owner, np.ndarray):
        owner = owner.base
    owner = owner.obj if isinstance(owner, memoryview) else owner
    if isinstance(owner, mmap.mmap) and hasattr(owner, "madvise"):  # on Windows the system decides alone
        owner.madvise(mmap.MADV_DONTNEED)
