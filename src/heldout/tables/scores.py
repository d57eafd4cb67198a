"""Per-user values of one system under one protocol."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from heldout.tables.arrays import Float64, Int32, digest_of
from heldout.tables.display import ROWS_SHOWN, Displayed
from heldout.tables.vocabulary import Vocabulary
from heldout.text.numbers import counted

COUNTS = ("test", "relevant", "train", "development")
"""What is known of every tested user: ratings in test, relevant ones of these, ratings in train (NaN where train is not
known), and 1 for a user of the development group."""
DENOMINATOR = "denominator of "
"""Begins the name of a column of what a metric divides by, kept where ratios of sums are asked for."""
WEIGHT = "weight of lists"
"""The column of what a user's lists count for, kept where lists are averaged within popularity classes."""


def is_count(column: str) -> bool:
    """Whether a column of values per user is of the user and not of a metric."""
    return column in COUNTS or column == WEIGHT or column.startswith(DENOMINATOR)


@dataclass(frozen=True, order=True, kw_only=True)
class ProtocolKey:
    """The choices, as text forms, under which lists were made and judged; aggregation and comparison come later."""

    data: str
    filter: str
    split: str
    users: str
    fallback: str
    relevance: str
    target: str
    unrated: str
    ties: str


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Scores(Displayed):
    """Users × metrics. NaN is undefined by the metric's own rule; an uncovered user is told by a length of 0.

    Where a user has several lists (one per relevant item), a value is the mean over them and `lists` their number.
    """

    system: str
    protocol: ProtocolKey
    fold: int
    users: Int32
    metrics: tuple[str, ...]
    values: Float64
    length: Float64
    """Ranked items, fallback included (mean over the user's lists)."""
    computed: Float64
    """Items the system itself scored (mean over the user's lists)."""
    lists: Int32
    counts: dict[str, Float64] = field(default_factory=dict)
    """Of each user, the columns named in COUNTS, and denominators of metrics."""

    def _headline(self) -> str:
        """What the table holds, in counts."""
        return f"{self.system}, fold {self.fold + 1}: {counted(len(self.users), 'user')} by {', '.join(self.metrics)}"

    def _first_rows(self) -> pl.DataFrame:
        """The first rows."""
        return self.to_polars().select("user_id", *self.metrics, "length").head(ROWS_SHOWN)

    @cached_property
    def digest(self) -> str:
        """sha256 of all values."""
        return digest_of(
            self.system,
            *astuple(self.protocol),
            self.fold,
            *self.metrics,
            self.users,
            self.values,
            self.length,
            self.computed,
            self.lists,
            *self.counts.keys(),
            *self.counts.values(),
        )

    def column(self, metric: str) -> Float64:
        """The values of one metric."""
        return self.values[:, self.metrics.index(metric)]

    def to_polars(self, vocabulary: Vocabulary | None = None) -> pl.DataFrame:
        """One row per user: the protocol's choices, the user, a column per metric, length, computed, lists and counts."""
        n = len(self.users)
        fixed = {"system": self.system, **asdict(self.protocol), "fold": self.fold}
        user = vocabulary.decode(self.users) if vocabulary is not None else pl.Series(self.users)
        return pl.DataFrame(
            {
                **{name: pl.repeat(value, n, eager=True) for name, value in fixed.items()},
                "user_id": user,
                **{metric: pl.Series(np.ascontiguousarray(self.values[:, k])) for k, metric in enumerate(self.metrics)},
                "length": pl.Series(self.length),
                "computed": pl.Series(self.computed),
                "lists": pl.Series(self.lists),
                **{name: pl.Series(column) for name, column in self.counts.items()},
            }
        )
