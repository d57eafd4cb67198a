"""What is aggregated: all systems' values under one way of judging and one rule for users, a row for every metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from heldout.aggregations.aggregation import UserWeight
from heldout.analysis.alignment import Aligned, Cells
from heldout.data.user_columns import user_column
from heldout.experiment.cell import counts_of
from heldout.experiment.judging import Judgement
from heldout.metrics.measuring import Measured, denominators, measure
from heldout.metrics.metric import Metric
from heldout.metrics.system import Blocks, own_metrics, with_system_values
from heldout.study.spec import Study
from heldout.tables.arrays import Bool, Float64, Int32, Int64
from heldout.tables.scores import WEIGHT
from heldout.targets.user_rule import UserRule


@dataclass(frozen=True, eq=False)
class Piece:
    """One system on one fold."""

    users: Int32
    rows: Float64
    """Metrics × tested users."""
    length: Float64
    computed: Float64
    lists: Float64
    counts: dict[str, Float64]
    divided: dict[str, Float64]


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

    def aligned(self, judgement: Judgement, chain: Sequence[UserRule]) -> Aligned:
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
            judgement.protocol(chain),
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


def pieces_of(
    study: Study, judgement: Judgement, metrics: Sequence[Metric], blocks: Blocks | None, *, pooling: bool
) -> Iterator[Piece]:
    """One system's values on one fold under every chain of user rules; measured once where no chain changes a value."""
    judged, own = judgement.judged, own_metrics(metrics)
    divided = denominators(judged, metrics) if pooling else {}
    measured = None
    for chain in study.users:
        mask = judgement.mask(chain)
        if measured is None or judged.stratum is not None:
            tested = mask if judged.stratum is not None else None
            measured = measure(judged, own, target=judgement.target, tested=tested)
        yield _piece(study, judgement, with_system_values(measured, judged, metrics, mask, blocks), mask, divided)


def _piece(study: Study, judgement: Judgement, measured: Measured, mask: Bool, divided: dict[str, Float64]) -> Piece:
    judged, fold = judgement.judged, judgement.fold
    kept = mask & (measured.lists > 0)
    development = fold.split.development
    if development is not None and study.compare.group == "evaluation":
        kept &= ~development[fold.users]
    counts = counts_of(judged.relevance, fold.split.train, development)
    if judged.stratum is not None and measured.weights is not None:
        counts[WEIGHT] = measured.weights
    rows = measured.values.T
    whole = bool(kept.all())

    def cut(column: Float64) -> Float64:
        return np.ascontiguousarray(column if whole else column[..., kept], dtype=np.float64)

    return Piece(
        fold.users[kept],
        cut(rows),
        cut(measured.length),
        cut(measured.computed),
        cut(measured.lists.astype(np.float64)),
        {name: cut(column) for name, column in counts.items()},
        {name: cut(column) for name, column in divided.items()},
    )


def joined(study: Study, metrics: tuple[Metric, ...], folds: Sequence[Mapping[str, Piece]], ids: pl.Series) -> Block:
    """All systems' pieces of all folds; a system that lacks any piece failed. `ids` names the users."""
    systems = tuple(s.name for s in study.recommend)
    some = [next(iter(pieces.values())) for pieces in folds]
    numbers = np.concatenate([piece.users for piece in some])
    pooled = study.compare.folds == "pooled"
    found, user = (numbers, np.arange(len(numbers))) if pooled else np.unique(numbers, return_inverse=True)
    complete = [all(system in pieces for pieces in folds) for system in systems]

    def side(name: str) -> Float64:
        zero = np.zeros(len(numbers))
        return np.stack(
            [
                np.concatenate([getattr(pieces[s], name) for pieces in folds]) if whole else zero
                for s, whole in zip(systems, complete, strict=True)
            ]
        )

    counts = {
        name: np.bincount(user, np.concatenate([piece.counts[name] for piece in some]), len(found)).astype(np.float64)
        for name in some[0].counts
    }
    counts["train"] = counts["train"] / np.maximum(np.bincount(user, minlength=len(found)), 1)
    blank = np.zeros(len(numbers))
    return Block(
        systems,
        metrics,
        tuple(
            (_beside([pieces[s].rows for pieces in folds]) if whole else None)
            for s, whole in zip(systems, complete, strict=True)
        ),
        side("length"),
        side("computed"),
        user.astype(np.int64),
        ids.gather(found),
        np.concatenate([piece.lists for piece in some]),
        counts,
        {
            name: np.stack(
                [
                    np.concatenate([pieces[s].divided[name] for pieces in folds]) if whole else blank
                    for s, whole in zip(systems, complete, strict=True)
                ]
            )
            for name in some[0].divided
        },
        1 if pooled else int(np.bincount(user).max(initial=1)),
    )


def _beside(rows: Sequence[Float64]) -> Float64:
    """Metrics × cells of all folds."""
    return rows[0] if len(rows) == 1 else np.ascontiguousarray(np.concatenate(rows, axis=1))
