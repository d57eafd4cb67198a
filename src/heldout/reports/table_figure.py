"""A figure of a row as tables of every form of a report show it: its head, its definition and its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from heldout.words import exact

Row = TypeVar("Row")


@dataclass(frozen=True, kw_only=True)
class TableFigure(Generic[Row]):
    """One figure of a row as tables show it."""

    key: str
    """The attribute of the row that holds it."""
    head: str
    brief: str
    """Its head where there is little room."""
    meaning: str
    text: Callable[[Row], str]
    better: str = ""
    """Whether more of it is better: "higher", "lower" or nothing."""

    def exact(self, row: Row) -> str:
        """The value with four significant figures; empty where there is none."""
        value = getattr(row, self.key)
        return "" if value is None else exact(value)
