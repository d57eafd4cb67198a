"""Columns that wait in a file: they are read like any others, and the system may take their memory back at any time."""

from __future__ import annotations

import mmap
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from heldout import threads
from heldout.errors import WriteError
from heldout.storage.files import scratch_file

PART_SET_ASIDE = 32
"""Tables that take more than one part in so many of memory wait on disk while nobody reads them."""

_ALIGNED = 64
"""Columns begin at multiples of so many bytes, as in memory."""


def mapped_together(columns: Mapping[str, NDArray[Any]], folder: Path | None = None) -> dict[str, NDArray[Any]]:
    """The columns of a table in one file without a name in `folder` (None: the system's temporary folder), read-only.

    A process may have few files open at once. The file is gone with the columns, also if the process is killed. WriteError
    if there is no room for it.
    """
    written = {name: column for name, column in columns.items() if len(column) and _file_of(column) is None}
    if not written:
        return dict(columns)
    starts: dict[str, int] = {}
    with scratch_file(folder) as file:
        for name, column in written.items():
            file.write(bytes(-file.tell() % _ALIGNED))
            starts[name] = file.tell()
            file.write(np.ascontiguousarray(column).data)
        file.flush()
        numbers = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    in_file = {name: np.frombuffer(numbers, column.dtype, len(column), starts[name]) for name, column in written.items()}
    return {**columns, **in_file}


def let_go(column: NDArray[Any] | None) -> None:
    """Give back the memory of a mapped column and of others in its file, which are read again when they are asked for;
    columns in memory stay."""
    file = None if column is None else _file_of(column)
    if file is not None and hasattr(file, "madvise"):  # on Windows the system decides alone
        file.madvise(mmap.MADV_DONTNEED)


def _file_of(column: NDArray[Any]) -> mmap.mmap | None:
    """The file of a mapped column; None for one in memory."""
    owner: Any = column
    while isinstance(owner, np.ndarray):
        owner = owner.base
    owner = owner.obj if isinstance(owner, memoryview) else owner
    return owner if isinstance(owner, mmap.mmap) else None


class Mappable(Protocol):
    """Tables whose columns can wait in files."""

    @property
    def nbytes(self) -> int:
        """Bytes that the columns take."""
        ...

    def on_disk(self) -> Self:
        """The same table with its columns in files without a name; WriteError if there is no room for them."""
        ...


T = TypeVar("T", bound=Mappable)


def set_aside(table: T, *, others: int = 0) -> T:
    """A large table in files of the temporary folder, where it takes no memory while nobody reads it.

    It is large if it takes more than a share of memory together with the bytes of `others`.
    """
    if not (table.nbytes + others) * PART_SET_ASIDE > threads.memory() > 0:
        return table
    try:
        return table.on_disk()
    except WriteError as error:
        warnings.warn(f"{error}; the data stay in memory", stacklevel=2)
        return table


@dataclass
class Waiting:
    """The inputs of values that nobody has read yet: in memory while they take a small share of it together."""

    nbytes: int = 0
    """Bytes in memory."""
    _on_disk: WeakKeyDictionary[Any, Any] = field(default_factory=WeakKeyDictionary)
    """Inputs seen before → the same on disk, None if they stayed in memory: systems share the training ratings of a fold."""

    def keep(self, inputs: T) -> T:
        """The inputs of a further value, on disk if there is no room for them."""
        if inputs not in self._on_disk:
            placed = set_aside(inputs, others=self.nbytes)
            self._on_disk[inputs] = None if placed is inputs else placed
            self.nbytes += inputs.nbytes if placed is inputs else 0
        on_disk: T | None = self._on_disk[inputs]
        return inputs if on_disk is None else on_disk
