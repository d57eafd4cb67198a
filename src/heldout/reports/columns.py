"""Column types of tables: raw values in, the text of each form out, decided once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from heldout.text.names import short_names
from heldout.text.numbers import (
    ABSENT,
    MINUS,
    count,
    exact,
    exact_p,
    interval_text,
    number,
    p_number,
    percent,
    seconds,
    signed,
    size,
)

if TYPE_CHECKING:
    import polars as pl

Row: TypeAlias = Sequence[Any]
Kind: TypeAlias = Literal[
    "value", "interval", "p", "share", "count", "seconds", "bytes", "system", "text", "letters", "plain"
]
"""What a column holds. `letters` are set raised after the column before; `plain` are numbers of a frame without a type."""
NUMERIC = frozenset({"value", "interval", "p", "share", "count", "seconds", "bytes", "plain"})
FOLDING = frozenset({"p", "share", "count", "seconds", "bytes", "text"})


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column: what it holds, and how that is written."""

    name: str
    """In frames, CSV and JSON; unique in its table. An interval becomes two columns, NAME low and NAME high."""
    kind: Kind
    head: str = ""
    """What people see above it; the name if empty."""
    group: str = ""
    """A head that it shares with its neighbours."""
    means: str = ""
    """What the head does not say; shown where a reader points at it."""
    digits: int | Sequence[int | None] | None = None
    """Decimals: of the whole column, or of each row, whose None stands for four significant figures; found from each value
    if None."""
    least: float = 0.0
    """Values above 0 and below it are written as less than it."""
    signed: bool = False
    """True for differences, which bear their sign."""
    better: Literal["", "higher", "lower"] = ""
    shares: bool = False
    """Of an interval: True if its ends are shares, shown in percent."""
    track: str = ""
    """Of an interval: the column of values that a page draws with it on a common scale."""
    bar: bool = False
    """True if a page draws a bar next to a share."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Of systems: the short name that people see by full name."""
    shown: bool = True
    """False if people find it in frames, CSV and JSON only."""
    fold: bool | None = None
    """Whether it is folded into a sentence if all rows have one value; by kind if None."""
    need: int | None = None
    """How soon a terminal leaves it out of the first table, 0 never; by kind if None."""
    lines: bool = False
    """True for text that may break into several lines."""

    @property
    def title(self) -> str:
        """What people see above it."""
        return self.head or self.name

    @property
    def said(self) -> str:
        """Its name within a sentence."""
        words = f"{self.group} {self.title}".strip()
        return words[:1].lower() + words[1:] if words[1:2].islower() else words

    @property
    def folds(self) -> bool:
        """True if it is folded when constant."""
        return self.kind in FOLDING if self.fold is None else self.fold

    @property
    def numeric(self) -> bool:
        """True if its cells are set right."""
        return self.kind in NUMERIC

    def parts(self) -> list[str]:
        """Its columns in frames, CSV and JSON."""
        return [f"{self.name} low", f"{self.name} high"] if self.kind == "interval" else [self.name]

    def raw(self, value: Any) -> list[Any]:
        """Its values in frames, CSV and JSON."""
        if self.kind == "interval":
            return [None, None] if value is None else [*value]
        return [getattr(value, "plain", value)]

    def _digits(self, row: int) -> int | None:
        return self.digits if self.digits is None or isinstance(self.digits, int) else self.digits[row]

    def _significant(self, row: int) -> bool:
        """True if a row of numbers has four significant figures."""
        return isinstance(self.digits, Sequence) and self.digits[row] is None

    def text(self, value: Any, row: int) -> str:
        """A value as people read it; `row` is the number of its row."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ABSENT
        match self.kind:
            case "value" if self._significant(row):
                return exact(value).replace("-", MINUS)
            case "interval" if self._significant(row):
                return f"{exact(value[0])} to {exact(value[1])}".replace("-", MINUS)
            case "value" if 0 < value < self.least:
                return f"< {self.least:g}"
            case "value":
                return (signed if self.signed else number)(value, self._digits(row))
            case "interval":
                return interval_text(value, self._digits(row), sign=self.signed, shares=self.shares)
            case "p":
                return p_number(value)
            case "share":
                return percent(value, 1 if self.digits is None else self._digits(row) or 0)
            case "count":
                return count(value)
            case "seconds":
                return seconds(value)
            case "bytes":
                return size(value)
            case "plain":
                return exact(float(value)).replace("-", MINUS)
        return self.names.get(value, value) if self.kind == "system" else str(getattr(value, "plain", value))

    def alike(self, a: Any, b: Any) -> bool:
        """True if two values need not be told apart: equal, both not a number, or p-values of the same text."""
        if isinstance(a, float) and isinstance(b, float):
            return a == b or (math.isnan(a) and math.isnan(b)) or (self.kind == "p" and p_number(a) == p_number(b))
        return bool(a == b)

    def hover(self, value: Any) -> str:
        """The exact value, for a reader who points at the cell; empty if the text says all."""
        if isinstance(value, str):
            return value if self.names.get(value, value) != value else ""
        if value is None:
            return ""
        match self.kind:
            case "value":
                return exact(value)
            case "p":
                return exact_p(value)
            case "interval":
                return f"{exact(value[0])} to {exact(value[1])}"
        return ""


Source: TypeAlias = str | int | tuple[str, str] | Callable[[Any], Any]
"""Where the values of a column come from."""


class Field:
    """A column with where its values come from: an attribute of each record, its place in a tuple, or a function.

    An interval may name two attributes, its ends: `("low", "high")`. It is None if an end is missing.
    """

    def __init__(
        self,
        name: str,
        kind: Kind,
        source: Source,
        means: str = "",
        **options: Any,
    ) -> None:
        self.column = Column(name=name, kind=kind, means=means, **options)
        self.source = source

    def value(self, record: Any) -> Any:
        """The raw value of a record."""
        if isinstance(self.source, str):
            return getattr(record, self.source)
        if isinstance(self.source, int):
            return record[self.source]
        if isinstance(self.source, tuple):
            low, high = (getattr(record, end) for end in self.source)
            return None if any(end is None or math.isnan(end) for end in (low, high)) else (low, high)
        return self.source(record)


def meanings(fields: Iterable[Field]) -> str:
    """What heads mean, as sentences of a caption: "DP: discriminative power. Mean p: DP divided by the pairs."."""
    return " ".join(f"{field.column.title}: {field.column.means}." for field in fields if field.column.means)


def fields_of(systems: Iterable[str], value: Callable[..., Any], kind: Kind = "value", **options: Any) -> Iterator[Field]:
    """A column for each system, below its short name: what a function of a record and of `system` gives."""
    for system, short in short_names(tuple(systems)).items():
        yield Field(system, kind, partial(value, system=system), head=short, **options)


def columns_of_frame(frame: pl.DataFrame) -> tuple[Column, ...]:
    """Columns for a frame whose columns have no types of ours."""
    return tuple(
        Column(name=name, kind="plain" if dtype.is_numeric() else "text", fold=False) for name, dtype in frame.schema.items()
    )
