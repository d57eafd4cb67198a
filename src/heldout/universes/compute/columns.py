"""Users' values after the rules for undefined values and uncovered users: rows that aggregations and tests start from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.analysis.settings import SKIP
from heldout.study.spec import Study
from heldout.tables.arrays import Bool, Float64
from heldout.universes.compute.block import Block


@dataclass(frozen=True, eq=False)
class Columns:
    """Some metrics of all systems, a row for each; NaN is a user to skip."""

    rows: tuple[Float64 | None, ...]
    """By system: metrics × users; None where the system failed."""
    included: Bool
    """Systems × users: whom the coverage rule averages."""
    rule: int
    """The rule for undefined values that made the rows."""
    cells: Bool
    """Systems × cells: the same before folds are averaged, on which the rows depend too."""

    def scaled(self, block: Block, option: Aggregation) -> tuple[Float64 | None, ...]:
        """The rows on the scale on which an aggregation averages, a user to skip at 0; worked out once."""
        key = (id(self.rows), str(option))
        if key not in block.memo:
            block.memo[key] = tuple(None if rows is None else option.transform(_filled(rows)) for rows in self.rows)
        made: tuple[Float64 | None, ...] = block.memo[key]
        return made

    @cached_property
    def fingerprint(self) -> bytes:
        """The same for the same users in the same folds; rows follow from the rule for undefined values and these."""
        packed = np.packbits(self.included).tobytes() + np.packbits(self.cells).tobytes()
        return hashlib.blake2b(packed, digest_size=16).digest()

    @cached_property
    def groups(self) -> list[tuple[list[int], Bool]]:
        """Metrics that skip the same users: their places, and systems × users who count."""
        lacking = [None if rows is None else np.isnan(rows) for rows in self.rows]
        if not any(mask is not None and mask.any() for mask in lacking):
            width = next(len(rows) for rows in self.rows if rows is not None)
            return [(list(range(width)), self.included)]
        found: dict[bytes, list[int]] = {}
        width = next(len(mask) for mask in lacking if mask is not None)
        for m in range(width):
            key = b"".join(b"" if mask is None else np.packbits(mask[m]).tobytes() for mask in lacking)
            found.setdefault(key, []).append(m)
        made = []
        for places in found.values():
            skipped = [np.zeros(self.included.shape[1], bool) if mask is None else mask[places[0]] for mask in lacking]
            made.append((places, self.included & ~np.array(skipped)))
        return made


def ruled(study: Study, block: Block, metrics: Sequence[int], rule: int, coverage: int, *, by_lists: bool) -> Columns:
    """The rows of some metrics after a rule for undefined values (−1: skip them) and one for coverage (−1: none).

    Over several folds both rules hold in each fold, before a user's values are averaged.
    """
    covering = study.coverage[max(coverage, 0)]
    key = ("ruled", rule, tuple(metrics))
    if key not in block.memo:
        undefined = SKIP if rule < 0 else study.undefined[rule]
        every = list(metrics) == list(range(len(block.metrics)))
        block.memo[key] = tuple(
            None if rows is None else undefined.apply(rows if every else rows[list(metrics)]) for rows in block.rows
        )
    taken: tuple[Float64 | None, ...] = block.memo[key]
    present = [k for k, rows in enumerate(taken) if rows is not None]
    cells = included_by(covering, block.lengths, present)
    if block.folds == 1:
        return Columns(taken, cells, rule, cells)
    from heldout.kernels.paired import mean_over_folds

    n = len(block.users)
    weights = block.lists if by_lists else np.ones(len(block.user))
    made: list[Float64 | None] = []
    some = np.zeros((len(taken), n))
    for k, rows in enumerate(taken):
        some[k] = np.bincount(block.user, cells[k], n) > 0
        if rows is None:
            made.append(None)
            continue
        out = np.empty((len(rows), n))
        mean_over_folds(np.ascontiguousarray(rows), block.user, cells[k], weights, out, np.empty(n))
        made.append(out)
    return Columns(tuple(made), included_by(covering, some, present), rule, cells)


def included_by(coverage: CoverageRule, lengths: Float64, present: Sequence[int]) -> Bool:
    """Systems × users whom a coverage rule averages; a failed system averages nobody, and asks nothing of the others."""
    made = np.zeros(lengths.shape, dtype=np.bool_)
    made[list(present)] = np.array(coverage.included(list(lengths[list(present)])), dtype=np.bool_)
    return made


def _filled(rows: Float64) -> Float64:
    lacking = np.isnan(rows)
    return np.where(lacking, 0.0, rows) if lacking.any() else rows
