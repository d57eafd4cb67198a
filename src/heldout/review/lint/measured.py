"""What results add to a study: the numbers that rules look at, as plain rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from heldout.analysis.facts import place
from heldout.catalogue.notices import Notice


@dataclass(frozen=True)
class Line:
    """One system in one setting."""

    setting: str
    """The label of the setting."""
    choices: Mapping[str, str]
    metric: str
    coverage_rule: str
    system: str
    value: float | None
    users: int
    undefined: int
    user_coverage: float
    coverage: float | None
    unrated: float | None
    tied: float | None
    aggregate: str = ""

    @property
    def place(self) -> str:
        """Where this stands: metric, target, split and aggregation."""
        return place(self.metric, self.choices, self.aggregate)


@dataclass(frozen=True)
class Pair:
    """Two systems in one setting under one test."""

    setting: str
    metric: str
    aggregate: str
    test: str
    a: str
    b: str
    value_a: float
    value_b: float
    difference: float
    effect: float | None
    p: float | None
    """Adjusted, where a correction was made."""
    users: int
    told: bool
    """Whether the test says something: a p-value or figures of its own."""
    choices: Mapping[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where this stands: metric, target, split and aggregation."""
        return place(self.metric, self.choices, self.aggregate)


@dataclass(frozen=True)
class FoldCounts:
    """One fold: its sizes and what it leaks."""

    split: str
    fold: int
    test: int
    users: int
    audit: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class DataCounts:
    """A data set before and after its filters, as profiles."""

    name: str
    filter: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    def kept(self, what: str) -> float:
        """The share of users, items or ratings that the filters left."""
        return float(self.after[what]) / float(self.before[what]) if self.before.get(what) else 1.0

    def extremes(self) -> tuple[float, float] | None:
        """The lowest and the highest rating after the filters."""
        edges = (self.after.get("values") or {}).get("edges", ())
        return (float(edges[0]), float(edges[-1])) if edges else None

    def rated(self) -> list[tuple[float, int]]:
        """Distinct ratings (or lower ends of bins) after the filters, with their numbers."""
        values = self.after.get("values") or {}
        edges, counts = values.get("edges", ()), values.get("counts", ())
        return [(float(edge), int(n)) for edge, n in zip(edges, counts, strict=False) if n]


@dataclass(frozen=True)
class Measured:
    """All that rules read off results."""

    lines: tuple[Line, ...] = ()
    pairs: tuple[Pair, ...] = ()
    folds: tuple[FoldCounts, ...] = ()
    data: tuple[DataCounts, ...] = ()
    notices: tuple[Notice, ...] = ()

    def noticed(self, code: str) -> Iterator[Notice]:
        """What the run itself already said under a code."""
        return (n for n in self.notices if n.code == code)
