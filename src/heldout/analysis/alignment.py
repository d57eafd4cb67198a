"""Users aligned over systems, and folds averaged per user: what is aggregated and tested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from heldout.analysis.part import Part
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.scores import DENOMINATOR


@dataclass(frozen=True, eq=False)
class Cells:
    """One protocol with a column for each user and fold."""

    user: Int64
    """Place of each cell's user."""
    values: Float64
    """Systems × cells × metrics."""
    length: Float64
    computed: Float64
    lists: Float64
    divided: dict[str, Float64]

    def only(self, users: Bool) -> Cells:
        """The cells of these users."""
        kept = users[self.user]
        return Cells(
            (np.cumsum(users) - 1)[self.user[kept]],
            self.values[:, kept],
            self.length[:, kept],
            self.computed[:, kept],
            self.lists[kept],
            {name: rows[:, kept] for name, rows in self.divided.items()},
        )

    def of_systems(self, rows: Int64) -> Cells:
        """These systems alone."""
        divided = {name: values[rows] for name, values in self.divided.items()}
        return replace(
            self, values=self.values[rows], length=self.length[rows], computed=self.computed[rows], divided=divided
        )

    def per_user(self, values: Float64, included: Bool, weights: Float64 | None, n: int) -> Float64:
        """Systems × users: the (weighted) mean over the user's included folds with a value; NaN where there is none."""
        kept = included & ~np.isnan(values)
        weigh = np.broadcast_to(1.0 if weights is None else weights, values.shape)
        made = np.full((len(values), n), np.nan)
        for k in range(len(values)):
            weight = np.bincount(self.user, np.where(kept[k], weigh[k], 0.0), n)
            total = np.bincount(self.user, np.where(kept[k], values[k] * weigh[k], 0.0), n)
            np.divide(total, weight, out=made[k], where=weight > 0)
        return made


@dataclass(frozen=True, eq=False)
class Aligned:
    """All systems under one protocol, users aligned and folds averaged."""

    protocol: ProtocolKey
    metrics: tuple[str, ...]
    values: Float64
    """Systems × users × metrics."""
    length: Float64
    computed: Float64
    lists: Float64
    """Lists of each user, summed over folds."""
    users: pl.Series
    """External ids of the users; where folds are pooled, one for each fold that tests the user."""
    counts: dict[str, Float64]
    """Of each user: ratings in test and relevant ones summed over folds, those in train averaged, and the group."""
    divided: dict[str, Float64]
    """By metric, systems × users: what the metric divides by, summed over folds."""
    folds: int = 1
    """Most folds that a user is tested in."""
    cells: Cells | None = None
    """The values of each user in each fold, where there are several folds: rules apply to these, before the average."""
    fold: Int64 | None = None
    """The fold of each row, where folds are pooled."""
    measured: Bool | None = None
    """Systems × metrics: whether the metric was measured of the system, which it is not where it does not apply; None where
    all were."""

    def column(self, metric: str) -> Float64:
        """Systems × users of one metric."""
        return self.values[:, :, self.metrics.index(metric)]

    def of_common(self, metric: str, defined: Sequence[str]) -> Float64:
        """Systems × users of one metric, where all systems have a value of all the `defined` metrics; NaN elsewhere.

        Over several folds this holds in each fold, before a user's values are averaged.
        """
        values = self.values if self.cells is None else self.cells.values
        places = [self.metrics.index(name) for name in defined]
        common = ~np.isnan(values[:, :, places]).any(axis=(0, 2))
        column = np.where(common, values[:, :, self.metrics.index(metric)], np.nan)
        if self.cells is None:
            return column
        return self.cells.per_user(column, np.ones(column.shape, dtype=np.bool_), None, len(self.users))

    def denominator(self, metric: str) -> Float64 | None:
        """Systems × users: what a metric divides by, where that was kept."""
        return self.divided.get(metric)

    @property
    def development(self) -> Bool:
        """Who is of the development group."""
        found: Bool = self.counts.get("development", np.zeros(len(self.users))) > 0
        return found

    def only(self, users: Bool) -> Aligned:
        """These users alone."""
        return replace(
            self,
            values=self.values[:, users],
            length=self.length[:, users],
            computed=self.computed[:, users],
            lists=self.lists[users],
            users=self.users.filter(pl.Series(users)),
            counts={name: column[users] for name, column in self.counts.items()},
            divided={name: rows[:, users] for name, rows in self.divided.items()},
            cells=self.cells.only(users) if self.cells is not None else None,
            fold=self.fold[users] if self.fold is not None else None,
        )

    def having(self, metric: str) -> Int64:
        """The systems of which a metric was measured."""
        if metric not in self.metrics:
            return np.empty(0, dtype=np.int64)
        if self.measured is None:
            return np.arange(len(self.values))
        return np.flatnonzero(self.measured[:, self.metrics.index(metric)])

    def of_systems(self, rows: Int64) -> Aligned:
        """These systems alone."""
        if len(rows) == len(self.values):
            return self
        return replace(
            self,
            values=self.values[rows],
            length=self.length[rows],
            computed=self.computed[rows],
            divided={name: values[rows] for name, values in self.divided.items()},
            cells=self.cells.of_systems(rows) if self.cells is not None else None,
            measured=self.measured[rows] if self.measured is not None else None,
        )

    def share(self, metric: str, system: int) -> float | None:
        """The mean of one system's defined values over users and folds; None where the metric was not measured."""
        if metric not in self.metrics:
            return None
        source = self.values if self.cells is None else self.cells.values
        column = source[system, :, self.metrics.index(metric)]
        known = ~np.isnan(column)
        return float(column[known].mean()) if known.any() else None

    def covered(self, system: int) -> float:
        """The share of users, in each fold, for whom the system itself scored something."""
        computed = self.computed if self.cells is None else self.cells.computed
        return float((computed[system] > 0).mean())


def align(parts: Sequence[Part], protocol: ProtocolKey, systems: Sequence[str], *, pooled: bool = False) -> Aligned:
    """Values of every system under one protocol; a user's values are averaged over the folds that test the user.

    `pooled` takes each user once for every fold that tests them instead, as if these were different users.
    """
    tables = [(s, part.users) for part in parts for s in part.scores if s.protocol == protocol]
    scores = [s for s, _ in tables]
    ids = [vocabulary.decode(s.users) for s, vocabulary in tables]
    users = Vocabulary.of(*ids)
    user = [users.encode(column).astype(np.int64) for column in ids]
    n = max(len(users), 1)
    keys = [s.fold * n + codes for s, codes in zip(scores, user, strict=True)]
    cells = np.unique(np.concatenate(keys))
    at_cell = [np.searchsorted(cells, key) for key in keys]
    if pooled:
        found = _added_up(protocol, systems, scores, at_cell, users.decode(cells % n))
        return replace(found, fold=cells // n)
    found = _added_up(protocol, systems, scores, user, users.decode(np.arange(len(users), dtype=np.int32)))
    if found.folds == 1:
        return found
    apart = _added_up(protocol, systems, scores, at_cell, users.decode(cells % n))
    return replace(found, cells=Cells(cells % n, apart.values, apart.length, apart.computed, apart.lists, apart.divided))


def _added_up(
    protocol: ProtocolKey, systems: Sequence[str], tables: Sequence[Scores], places: Sequence[Int64], users: pl.Series
) -> Aligned:
    """The tables of all systems and folds in rows of `users`; rows of several folds that share a place are averaged."""
    metrics = tuple(dict.fromkeys(metric for scores in tables for metric in scores.metrics))
    shape = (len(systems), len(users))
    measured = np.zeros((len(systems), len(metrics)), dtype=np.bool_)
    total, defined = np.zeros((*shape, len(metrics))), np.zeros((*shape, len(metrics)))
    length, computed, times = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    lists = np.zeros(shape)
    sums = {name: np.zeros(shape) for scores in tables for name in scores.counts}
    for scores, at in zip(tables, places, strict=True):
        k = systems.index(scores.system)
        known = ~np.isnan(scores.values)
        columns = np.array([metrics.index(metric) for metric in scores.metrics], dtype=np.int64)
        measured[k, columns] = True
        cells = (k, at[:, None], columns[None, :])
        total[cells] += np.where(known, scores.values, 0.0)
        defined[cells] += known
        length[k, at] += scores.length
        computed[k, at] += scores.computed
        lists[k, at] += scores.lists
        times[k, at] += 1
        for name, column in scores.counts.items():
            sums[name][k, at] += column
    values = np.full(total.shape, np.nan)
    np.divide(total, defined, out=values, where=defined > 0)
    folds_of = times.max(axis=0)
    times = np.maximum(times, 1)
    # Systems share users and test sets, so any that tested a user knows the user's counts.
    counts = {name: of_system.max(axis=0) for name, of_system in sums.items() if not name.startswith(DENOMINATOR)}
    divided = {name.removeprefix(DENOMINATOR): rows for name, rows in sums.items() if name.startswith(DENOMINATOR)}
    if "train" in counts:
        counts["train"] = counts["train"] / np.maximum(folds_of, 1)
    return Aligned(
        protocol,
        metrics,
        values,
        length / times,
        computed / times,
        lists.max(axis=0),
        users,
        counts,
        divided,
        int(folds_of.max(initial=1)),
        measured=measured,
    )
