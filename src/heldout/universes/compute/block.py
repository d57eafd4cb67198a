"""What is aggregated: all systems' values under one way of judging and one rule for users, a row for every metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from heldout.aggregations.aggregation import UserWeight
from heldout.analysis.alignment import Aligned, Cells
from heldout.data.user_columns import user_column
from heldout.metrics.metric import Metric
from heldout.study.spec import Study
from heldout.tables import ProtocolKey, Scores, Vocabulary
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.scores import DENOMINATOR, WEIGHT


@dataclass(frozen=True, eq=False)
class Block:
    """All systems, users aligned; with several folds, a cell for each user and fold."""

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    rows: tuple[Float64 | None, ...]
    """By system: metrics × cells; None where a system failed."""
    lengths: Float64
    """Systems × cells."""
    computed: Float64
    user: Int64
    """The user of each cell, by place."""
    users: pl.Series
    """External ids."""
    lists: Float64
    """Of cells."""
    counts: dict[str, Float64]
    """Of users."""
    divided: dict[str, Float64]
    """By metric, systems × cells."""
    folds: int
    memo: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What is worked out once of these values."""

    def weights_of(self, weight: UserWeight) -> Float64:
        """The users' weights that an aggregation names."""
        if weight.table is None:
            return self.counts[weight.column]
        return user_column(weight.table, weight.column, self.users)

    def list_weights(self) -> Float64:
        """What users' lists count for, where lists are averaged by rating."""
        if WEIGHT in self.counts:
            return self.counts[WEIGHT]
        return np.bincount(self.user, self.lists, len(self.users)).astype(np.float64)

    def aligned(self, protocol: ProtocolKey) -> Aligned:
        """The same as a table of users, folds averaged: what the general way of aggregating starts from."""
        present = [k for k, rows in enumerate(self.rows) if rows is not None]
        values = np.stack([np.asarray(self.rows[k]).T for k in present])
        n = len(self.users)
        cells = Cells(
            self.user,
            values,
            self.lengths[present],
            self.computed[present],
            self.lists,
            {name: rows[present] for name, rows in self.divided.items()},
        )
        every = np.ones((len(present), len(self.user)), dtype=np.bool_)
        means = [cells.per_user(values[:, :, m], every, None, n) for m in range(values.shape[2])]
        over = partial(cells.per_user, included=every, weights=None, n=n)
        return Aligned(
            protocol,
            tuple(str(m) for m in self.metrics),
            np.stack(means, axis=2) if means else np.empty((len(present), n, 0)),
            over(cells.length),
            over(cells.computed),
            np.bincount(self.user, self.lists, n).astype(np.float64),
            self.users,
            self.counts,
            {m: np.stack([np.bincount(self.user, row, n) for row in rows]) for m, rows in cells.divided.items()},
            self.folds,
            cells if self.folds > 1 else None,
        )


def joined(
    study: Study, metrics: tuple[Metric, ...], folds: Sequence[Mapping[str, Scores]], vocabulary: Vocabulary
) -> Block:
    """All systems' scores of all folds; a system that lacks any failed."""
    systems = tuple(s.name for s in study.recommend)
    some = [_kept(study, next(iter(of_fold.values()))) for of_fold in folds]
    codes = np.concatenate([scores.users[kept] for scores, kept in some])
    pooled = study.compare.folds == "pooled"
    users, user = (codes, np.arange(len(codes))) if pooled else np.unique(codes, return_inverse=True)
    complete = [all(system in of_fold for of_fold in folds) for system in systems]

    def side(column: Callable[[Scores], Float64]) -> Float64:
        """Systems × cells."""
        zero = np.zeros(len(codes))
        return np.stack(
            [
                np.concatenate([column(of_fold[s])[kept] for of_fold, (_, kept) in zip(folds, some, strict=True)])
                if whole
                else zero
                for s, whole in zip(systems, complete, strict=True)
            ]
        )

    def cells(column: Callable[[Scores], Any]) -> Float64:
        return np.concatenate([column(scores)[kept] for scores, kept in some])

    names = tuple(str(m) for m in metrics)
    columns = tuple(some[0][0].counts)
    counts = {
        name: np.bincount(user, cells(_count(name)), len(users)).astype(np.float64)
        for name in columns
        if not name.startswith(DENOMINATOR)
    }
    counts["train"] = counts["train"] / np.maximum(np.bincount(user, minlength=len(users)), 1)
    return Block(
        systems,
        metrics,
        tuple(
            _beside(names, [(of_fold[s], kept) for of_fold, (_, kept) in zip(folds, some, strict=True)]) if whole else None
            for s, whole in zip(systems, complete, strict=True)
        ),
        side(lambda scores: scores.length),
        side(lambda scores: scores.computed),
        user.astype(np.int64),
        vocabulary.decode(users),
        cells(lambda scores: scores.lists.astype(np.float64)),
        counts,
        {name.removeprefix(DENOMINATOR): side(_count(name)) for name in columns if name.startswith(DENOMINATOR)},
        1 if pooled else int(np.bincount(user).max(initial=1)),
    )


def _count(name: str) -> Callable[[Scores], Float64]:
    return lambda scores: scores.counts[name]


def _kept(study: Study, scores: Scores) -> tuple[Scores, Bool]:
    """Scores, and who of their users is compared."""
    development = scores.counts["development"] > 0
    return scores, ~development if study.compare.group == "evaluation" else np.ones(len(development), dtype=np.bool_)


def _beside(metrics: tuple[str, ...], folds: Sequence[tuple[Scores, Bool]]) -> Float64:
    """Metrics × cells of all folds."""
    rows = []
    for scores, kept in folds:
        same = scores.metrics == metrics
        of_fold = scores.values.T if same else scores.values.T[[scores.metrics.index(m) for m in metrics]]
        rows.append(of_fold if kept.all() else of_fold[:, kept])
    return np.ascontiguousarray(rows[0] if len(rows) == 1 else np.concatenate(rows, axis=1))
