"""The one table that is aggregated and tested: values of all systems, aligned by user and fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heldout.aggregations.moments import Moments, merge
from heldout.errors import NotApplicableError
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.arrays import Bool, Float64, Int32, Int64, Ints
from heldout.tables.blocks import block_slices, hash_order, is_large
from heldout.tables.cell_scores import CellScores
from heldout.tables.id_hash import groups_of, hash_ids
from heldout.tables.scores import DENOMINATOR, WEIGHT


@dataclass(frozen=True, eq=False, kw_only=True)
class AlignedScores:
    """All systems under one protocol, keyed by (system, user, fold).

    Rows are in the order of ids; those of more than one block are in the order of the hash of ids: `heldout.tables.blocks`.

    A cell is a user in a fold. A row is what is averaged over and tested: a user, or, where folds are pooled, a user in a
    fold as if each were another user. Cells keep what was measured; averages over folds are taken after the rules for
    undefined values and uncovered users, by `over_folds` alone.
    """

    protocol: ProtocolKey
    systems: tuple[str, ...]
    metrics: tuple[str, ...]
    vocabulary: Vocabulary
    """Names the users; asked only where something is shown or looked up by id."""
    user: Int32
    """Of rows: the user's code."""
    row: Int64
    """Of cells: the place of their row."""
    fold: Int64
    """Of cells."""
    values: Float64
    """Systems × metrics × cells; NaN where the metric leaves a value undefined, or was not measured of the system."""
    length: Float64
    """Systems × cells: ranked items."""
    computed: Float64
    """Systems × cells: items that the system itself scored."""
    lists: Float64
    """Of cells: the user's lists."""
    cell_counts: Mapping[str, Float64]
    """By name, of cells: ratings in test, relevant ones of these, ratings in train, the group, weights of lists."""
    denominators: Mapping[str, Float64]
    """By metric, systems × cells: what the metric divides by, where that was kept."""
    measured: Bool
    """Systems × metrics: whether the metric was measured of the system, which it is not where it does not apply."""

    def __len__(self) -> int:
        return len(self.user)

    @property
    def one_fold(self) -> bool:
        """Whether every row has one cell, so that nothing is averaged over folds."""
        return len(self.row) == len(self.user)

    @cached_property
    def counts(self) -> dict[str, Float64]:
        """By name, of rows: counts summed over folds; those in train averaged."""
        sums = {name: self.summed(column) for name, column in self.cell_counts.items()}
        if "train" in sums:
            sums["train"] = sums["train"] / np.maximum(np.bincount(self.row, minlength=len(self)), 1)
        return sums

    @cached_property
    def list_weights(self) -> Float64:
        """Of rows: their lists, or what these count for where lists are averaged within popularity classes."""
        return self.counts[WEIGHT] if WEIGHT in self.counts else self.summed(self.lists)

    @cached_property
    def user_ids(self) -> pl.Series:
        """Of rows: the external id of the user."""
        return self.vocabulary.decode(self.user)

    @cached_property
    def user_hashes(self) -> NDArray[np.uint64]:
        """Of rows: the hash of the user's id."""
        return hash_ids(self.user_ids)

    @cached_property
    def user_groups(self) -> Int64:
        """Of rows: the group of the user by the hash of their id."""
        return groups_of(self.user_hashes)

    @property
    def development(self) -> Bool:
        """Of rows: who is of the development group."""
        return np.asarray(self.counts.get("development", np.zeros(len(self))) > 0)

    @cached_property
    def served(self) -> Bool:
        """Systems × rows: who has a list of the system in every fold that tests them."""
        return np.stack([self.summed(lengths <= 0) == 0 for lengths in self.length])

    def summed(self, cells: Float64 | Bool) -> Float64:
        """Of rows: the sum over folds of a column of cells."""
        if self.one_fold:
            return np.asarray(cells, dtype=np.float64)
        return np.bincount(self.row, cells, len(self)).astype(np.float64)

    def over_folds(self, columns: Float64, included: Bool, weights: Float64 | None = None) -> Float64:
        """Columns × rows from columns × cells: the (weighted) mean over a row's included folds with a value, else NaN.

        `included` and `weights` are of cells.
        """
        from heldout.kernels.paired import mean_over_folds

        means = np.empty((len(columns), len(self)))
        shares = np.ones(len(self.row)) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
        mean_over_folds(np.ascontiguousarray(columns), self.row, included, shares, means, np.empty(len(self)))
        return means

    def of_common(self, metric: str, defined: Sequence[str]) -> Float64:
        """Systems × rows of one metric, where all systems have a value of all the `defined` metrics; NaN elsewhere.

        This holds in each fold, before a user's values are averaged.
        """
        places = [self.metrics.index(name) for name in defined]
        common: Bool = np.logical_and.reduce(~np.isnan(self.values[:, places]), axis=(0, 1))
        return self.over_folds(self.values[:, self.metrics.index(metric)], common)

    def having(self, metric: str) -> Int64:
        """The systems of which a metric was measured."""
        if metric not in self.metrics:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self.measured[:, self.metrics.index(metric)])

    def share(self, metric: str, system: int) -> float | None:
        """The mean of one system's defined values over users and folds; None where the metric was not measured."""
        if metric not in self.metrics:
            return None
        column = self.values[system, self.metrics.index(metric)]
        return mean_of_means([column[cells] for cells in block_slices(len(column))])

    def covered(self, system: int) -> float:
        """The share of users, in each fold, for whom the system itself scored something."""
        return float((self.computed[system] > 0).mean())

    def served_users(self) -> int:
        """How many users have a list of every system in every fold that tests them."""
        return int(self.served.all(axis=0).sum())

    def only(self, rows: Bool) -> AlignedScores:
        """These rows alone."""
        cells = rows[self.row]
        return replace(
            self,
            user=self.user[rows],
            row=(np.cumsum(rows) - 1)[self.row[cells]],
            fold=self.fold[cells],
            values=np.ascontiguousarray(self.values[:, :, cells]),
            length=self.length[:, cells],
            computed=self.computed[:, cells],
            lists=self.lists[cells],
            cell_counts={name: column[cells] for name, column in self.cell_counts.items()},
            denominators={name: columns[:, cells] for name, columns in self.denominators.items()},
        )

    def of_systems(self, places: Int64) -> AlignedScores:
        """These systems alone."""
        if len(places) == len(self.systems):
            return self
        return replace(
            self,
            systems=tuple(self.systems[k] for k in places),
            values=self.values[places],
            length=self.length[places],
            computed=self.computed[places],
            denominators={name: columns[places] for name, columns in self.denominators.items()},
            measured=self.measured[places],
        )


def align(
    parts: Sequence[CellScores], protocol: ProtocolKey, systems: Sequence[str], *, pooled: bool = False
) -> AlignedScores:
    """The values of every system under one protocol; `pooled` makes each fold of a user a row of its own."""
    tables = [(scores, part.users) for part in parts for scores in part.scores if scores.protocol == protocol]
    vocabulary = tables[0][1]
    if all(users is vocabulary or users == vocabulary for _, users in tables):
        return align_scores([scores for scores, _ in tables], vocabulary, systems, pooled=pooled)
    # Parts that were read back each have a vocabulary of their own users.
    ids = [users.decode(scores.users) for scores, users in tables]
    vocabulary = Vocabulary.of(*ids)
    encoded = [replace(scores, users=vocabulary.encode(column)) for (scores, _), column in zip(tables, ids, strict=True)]
    return align_scores(encoded, vocabulary, systems, pooled=pooled)


def align_scores(
    tables: Sequence[Scores],
    vocabulary: Vocabulary,
    systems: Sequence[str],
    *,
    metrics: Sequence[str] | None = None,
    pooled: bool = False,
) -> AlignedScores:
    """Scores of several systems and folds under one protocol, in codes of one vocabulary.

    `metrics` are those to take; all that some system has where none are named.
    """
    names = tuple(dict.fromkeys(m for scores in tables for m in scores.metrics)) if metrics is None else tuple(metrics)
    folds = sorted({scores.fold for scores in tables})
    users_of = {fold: _users(scores.users for scores in tables if scores.fold == fold) for fold in folds}
    start = dict(zip(folds, np.cumsum([0, *(len(users_of[fold]) for fold in folds)]).tolist(), strict=False))
    codes: Int32 = np.concatenate([users_of[fold] for fold in folds])
    n = len(codes)
    one_each = pooled or len(folds) == 1
    user, row = (codes, np.arange(n)) if one_each else np.unique(codes, return_inverse=True)
    place: Int64 | None = None
    if is_large(len(user)):
        order = hash_order(vocabulary.decode(user))
        user, place = user[order], np.argsort(order)
        row = np.arange(n) if one_each else place[row]
    shape = (len(systems), n)
    whole = len(tables) == len(systems) * len(folds) and all(
        scores.metrics == names and len(scores.users) == len(users_of[scores.fold]) for scores in tables
    )
    values = np.empty((len(systems), len(names), n)) if whole else np.full((len(systems), len(names), n), np.nan)
    length, computed, lists = np.zeros(shape), np.zeros(shape), np.zeros(n)
    measured = np.zeros((len(systems), len(names)), dtype=np.bool_)
    counts = {name: np.zeros(n) for scores in tables for name in scores.counts if not name.startswith(DENOMINATOR)}
    divided = {name: np.zeros(shape) for scores in tables for name in scores.counts if name.startswith(DENOMINATOR)}
    for scores in tables:
        k, of_fold = systems.index(scores.system), users_of[scores.fold]
        first = start[scores.fold]
        at: slice | Int64 = slice(first, first + len(of_fold))
        if len(scores.users) != len(of_fold) or not np.array_equal(scores.users, of_fold):
            at = first + np.searchsorted(of_fold, scores.users)
        if one_each and place is not None:
            at = place[at]
        columns = [m for m, name in enumerate(names) if name in scores.metrics]
        measured[k, columns] = True
        if scores.metrics == names:
            values[k][:, at] = scores.values.T
        else:
            taken = [scores.metrics.index(names[m]) for m in columns]
            for m, column in zip(columns, taken, strict=True):
                values[k, m, at] = scores.values[:, column]
        length[k, at], computed[k, at], lists[at] = scores.length, scores.computed, scores.lists
        for name, count in scores.counts.items():
            if name in divided:
                divided[name][k, at] = count
            else:
                counts[name][at] = count
    fold_of = np.repeat(np.array(folds, dtype=np.int64), [len(users_of[fold]) for fold in folds])
    return AlignedScores(
        protocol=tables[0].protocol,
        systems=tuple(systems),
        metrics=names,
        vocabulary=vocabulary,
        user=user.astype(np.int32),
        row=row.reshape(-1).astype(np.int64),
        fold=fold_of if place is None or not one_each else fold_of[np.argsort(place)],
        values=values,
        length=length,
        computed=computed,
        lists=lists,
        cell_counts=counts,
        denominators={name.removeprefix(DENOMINATOR): columns for name, columns in divided.items()},
        measured=measured,
    )


def mean_of_means(blocks: Sequence[Float64]) -> float | None:
    """The mean of the defined values of all blocks; None where there is none."""
    means = []
    for column in blocks:
        own = column[~np.isnan(column)]
        mean, users = np.asarray(own.mean() if len(own) else np.nan), np.asarray(float(len(own)))
        means.append(Moments(mean=mean, variance=np.zeros(()), weight=users, square=users))
    together = merge(means)
    return float(together.mean) if together.weight > 0 else None


def _users(columns: Iterable[Int32]) -> Int32:
    """The users of a fold: those of any system, ascending where systems differ."""
    first, *others = columns
    if all(len(users) == len(first) and np.array_equal(users, first) for users in others):
        return first
    return np.unique(np.concatenate([first, *others]))


def users_of_group(table: AlignedScores, group: str) -> tuple[AlignedScores, str]:
    """The users of a group, and why no winner may be called on them; empty when one may.

    Systems and parameters are chosen on the development users, so a comparison on these praises what was fitted to them.
    """
    development = table.development
    _refuse(group, development)
    if not development.any():
        return table, ""
    if group == "evaluation":
        return table.only(~development), ""
    why = f"{int(development.sum()):,} of these users are the development group, on which systems are chosen"
    return (table.only(development) if group == "development" else table), why


def refuse_group(group: str, development: Bool | None, users: Ints) -> None:
    """NotApplicableError where a fold has no tested user of the group that is compared."""
    _refuse(group, np.zeros(len(users), dtype=np.bool_) if development is None else development[users])


def _refuse(group: str, development: Bool) -> None:
    if group == "development" and not development.any():
        raise NotApplicableError(
            "the split has no development users", where="compare", hint="divide the test users in the split, or compare all"
        )
    if group == "evaluation" and len(development) and development.all():
        raise NotApplicableError("every tested user is a development user", where="compare", hint="keep some for evaluation")
