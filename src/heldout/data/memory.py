"""Ratings that are in memory already, as a source for a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from inspect import signature
from typing import Any, Protocol

from heldout.data.columns import refuse_columns
from heldout.data.frames import log_from_frame
from heldout.errors import UnknownNameError
from heldout.tables import Interactions, Log
from heldout.tables.arrays import digest_of

NUMBERS = ("value", "time", "utility", "merged_time")
"""The columns of a log that are arrays."""


class Source(Protocol):
    """What a study needs of its data: a reader, or a table in memory."""

    @property
    def full_text(self) -> str:
        """How the source is named in reports."""
        ...

    def read(self) -> Log:
        """All rows."""
        ...

    def source_digest(self) -> str:
        """sha256 of what would be read."""
        ...


@dataclass(frozen=True, eq=False)
class InMemory:
    """A frame, arrays, Interactions or a Log given by the caller."""

    table: Any
    name: str = "frame"
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Which column is what, where their names do not tell: `user`, `item`, `value`, `time`, `utility`, `on_bad_rows`."""

    def __post_init__(self) -> None:
        names = [name for name in signature(log_from_frame).parameters if name not in ("frame", "name")]
        strange = next((name for name in self.columns if name not in names), None)
        if strange is not None:
            raise UnknownNameError("parameter of a frame", strange, names)
        if isinstance(self.table, Interactions):
            refuse_columns(self.columns, self.name)

    def __str__(self) -> str:
        return self.name

    @property
    def full_text(self) -> str:
        """How the source is named in reports."""
        return self.name

    def read(self) -> Log:
        """All rows."""
        if isinstance(self.table, Interactions):
            rows = self.table
            log = Log(
                user_id=rows.users.decode(rows.user),
                item_id=rows.items.decode(rows.item),
                value=rows.value,
                time=rows.time,
                utility=rows.utility,
                merged_time=rows.merged_time,
                time_unit=rows.time_unit,
                source=self.name,
            )
        elif isinstance(self.table, Log):
            log = self.table
        else:
            log = log_from_frame(self.table, name=self.name, **self.columns)
        # The caller's arrays may be changed while a study runs, by the caller or by a model; its ratings must not.
        own = {name: column.copy() for name in NUMBERS if (column := getattr(log, name)) is not None}
        return replace(log, **own)

    def source_digest(self) -> str:
        """sha256 of all columns."""
        if isinstance(self.table, Interactions):
            return self.table.digest
        log = self.read()
        ids = log.user_id.cast(str).to_numpy(), log.item_id.cast(str).to_numpy()
        finer = () if log.time_unit == "s" else (log.time_unit,)
        return digest_of(*ids, log.value, log.time, log.utility, *finer)
