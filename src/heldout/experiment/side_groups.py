"""Groups of users and items by what a data set says of them besides ratings: gender, age, genre, year."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from heldout.errors import HeldoutError
from heldout.tables import Side, Vocabulary
from heldout.tables.arrays import Bool, digest_of

MOST_COLUMNS = 4
"""Columns of a table that make groups: the first that suit."""
MOST_GROUPS = 8
"""Groups of a column: its most frequent values."""
LEAST_COVERED = 0.5
"""Share of the ids that these must cover; a column of titles or zip codes has other values for almost every id."""
QUARTILES = (0.25, 0.5, 0.75, 1.0)
SEPARATOR = "|"

Groups = Mapping[str, Mapping[str, Bool]]
"""Column → label → which codes of a vocabulary are in the group."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SideGroups:
    """The groups that a data set's own tables make."""

    users: Groups = field(default_factory=dict)
    items: Groups = field(default_factory=dict)
    digest: str = ""
    """sha256 of both tables; empty where there is none."""
    problem: str = ""
    """Why a table that is there cannot be used."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DataGroups:
    """Groups, and the data set and ids that they are of."""

    data: str
    users: Vocabulary
    items: Vocabulary
    groups: SideGroups


def side_groups(source: object, users: Vocabulary, items: Vocabulary) -> SideGroups:
    """Groups by the tables of a reader. A study needs no such table, so one that cannot be read is told and not raised."""
    if not hasattr(source, "user_table") or not hasattr(source, "item_table"):
        return SideGroups()
    try:
        of_users, of_items = source.user_table(), source.item_table()
        return SideGroups(
            users=_by_columns(of_users, users),
            items=_by_columns(of_items, items),
            digest=digest_of(*(table.digest for table in (of_users, of_items) if table is not None)),
        )
    except HeldoutError as error:
        return SideGroups(problem=str(error), digest=digest_of(str(error)))


def _by_columns(table: Side | None, vocabulary: Vocabulary) -> Groups:
    if table is None or table.users is not None:
        return {}
    aligned = table.aligned(vocabulary)
    grouped = {name: column_groups(aligned[name]) for name in aligned.columns}
    suited = [name for name, groups in grouped.items() if len(groups) > 1]
    return {name: grouped[name] for name in suited[:MOST_COLUMNS]}


def column_groups(column: pl.Series) -> dict[str, Bool]:
    """Label → rows of a column. Many numbers make quartiles; of texts the most frequent values are groups.

    A text of several values, such as `Action|Comedy`, is in the group of each. Nothing where values hardly repeat.

    Example: the ages 10, 20, …, 100 make "10–30", "40–50", "60–80" and "90–100".
    """
    numbers = column.cast(pl.Float64, strict=False) if column.dtype != pl.List else None
    if numbers is not None and numbers.null_count() == column.null_count() and numbers.n_unique() > MOST_GROUPS:
        return _quartiles(numbers)
    lists = column if column.dtype == pl.List else column.cast(pl.String).str.split(SEPARATOR)
    frame = pl.DataFrame({"row": np.arange(len(column)), "value": lists}).explode("value").drop_nulls()
    frame = frame.with_columns(pl.col("value").cast(pl.String).str.strip_chars()).filter(pl.col("value") != "").unique()
    counts = frame.group_by("value").len().sort(["len", "value"], descending=[True, False])
    shown = counts.head(MOST_GROUPS)["value"].to_list()
    members = {value: np.zeros(len(column), dtype=np.bool_) for value in shown}
    for value, own in members.items():
        own[frame.filter(pl.col("value") == value)["row"].to_numpy()] = True
    covered = np.logical_or.reduce(list(members.values())).sum() if members else 0
    if covered < LEAST_COVERED * frame["row"].n_unique() or len(counts) > len(column) / 2:
        return {}
    return members


def _quartiles(numbers: pl.Series) -> dict[str, Bool]:
    values = numbers.fill_null(float("nan")).to_numpy()
    defined = values[~np.isnan(values)]
    if numbers.n_unique() > len(defined) / 2 and np.array_equal(defined, np.round(defined)) and len(defined) > 100:
        return {}  # whole numbers that hardly repeat are ids or codes
    groups: dict[str, Bool] = {}
    below = -np.inf
    for end in np.unique(np.quantile(defined, QUARTILES, method="inverted_cdf")):
        members = (values > below) & (values <= end)
        low, high = values[members].min(), values[members].max()
        groups[f"{low:g}" if low == high else f"{low:g}–{high:g}"] = members
        below = float(end)
    return groups
