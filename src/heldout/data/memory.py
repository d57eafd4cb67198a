"""Ratings that are in memory already, as a source for a study."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from heldout.data.frames import log_from_frame
from heldout.tables import Interactions, Log
from heldout.tables.arrays import digest_of


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
    """A frame, arrays or Interactions given by the caller."""

    table: Any
    name: str = "frame"

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
            return Log(
                rows.users.decode(rows.user), rows.items.decode(rows.item), rows.value, rows.time, rows.utility, self.name
            )
        return log_from_frame(self.table, name=self.name)

    def source_digest(self) -> str:
        """sha256 of all columns."""
        if isinstance(self.table, Interactions):
            return self.table.digest
        log = self.read()
        return digest_of(
            log.user_id.cast(str).to_numpy(), log.item_id.cast(str).to_numpy(), log.value, log.time, log.utility
        )
