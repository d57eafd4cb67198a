"""Universes of one split, as they are kept in the results folder, and all of them put together without repetitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import polars as pl

from heldout.experiment.ledger import Ledger
from heldout.significance.pairs import system_pairs
from heldout.tables.arrays import Bool, Float64, Int8, Int32, frozen
from heldout.universes.compute.comparisons import NO_USERS, UniverseComparisons
from heldout.universes.grid.decisions import NAMES
from heldout.universes.grid.grid import Multiverse, UniverseLayout
from heldout.universes.universes import Universes

_INNER = ("metric", "cutoff", "gain", "aggregate", "undefined", "coverage", "test")
_TYPES = {"codes": np.int32, "users": np.int32, "other_users": np.bool_, "higher": np.bool_, "winner": np.int8}


_SEED = NAMES.index("seed")
_TOGETHER = tuple(
    k for k, name in enumerate(NAMES) if name not in ("seed", "metric", "cutoff", "gain", "aggregate", "undefined")
)
"""Decisions that fix whether anything is random: all metrics and means of one protocol and test agree on it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Chunk:
    """Some universes: the columns of `Universes`."""

    codes: Int32
    values: Float64
    users: Int32
    other_users: Bool
    low: Float64
    high: Float64
    higher: Bool
    difference: Float64
    effect: Float64
    d: Float64
    p: Float64
    p_adjusted: Float64
    winner: Int8
    served: Float64

    @classmethod
    def of(
        cls,
        multiverse: Multiverse,
        outer: Mapping[str, str],
        places: UniverseLayout,
        verdicts: UniverseComparisons,
        first_users: int,
    ) -> Chunk:
        """The universes of one way of judging; `outer` has the decisions made before measuring.

        `first_users` is the `user_set` of the first options.
        """
        codes = np.empty((len(places), len(NAMES)), dtype=np.int32)
        for k, decision in enumerate(multiverse.decisions):
            if decision.name in outer:
                codes[:, k] = decision.levels.index(outer[decision.name])
            else:
                codes[:, k] = places.codes[:, _INNER.index(decision.name)]
        columns = {name: getattr(verdicts, name) for f in fields(cls) if (name := f.name) not in ("codes", "other_users")}
        other_users = (verdicts.user_set != first_users) & (verdicts.user_set != NO_USERS)
        return cls(codes=codes, other_users=other_users, **columns)

    @classmethod
    def joined(cls, chunks: Sequence[Chunk]) -> Chunk:
        """Several one after another."""
        return cls(**{f.name: np.concatenate([getattr(c, f.name) for c in chunks]) for f in fields(cls)})

    @classmethod
    def empty(cls, multiverse: Multiverse) -> Chunk:
        """None at all."""
        systems = [s.name for s in multiverse.study.recommend]
        pairs = len(system_pairs(systems, multiverse.study.compare.baseline))
        width = {"codes": len(NAMES), **dict.fromkeys(("values", "users", "low", "high"), len(systems))}
        flat = ("higher", "other_users")
        shapes = {f.name: 0 if f.name in flat else (0, width.get(f.name, pairs)) for f in fields(cls)}
        return cls(**{name: np.empty(shape, dtype=_TYPES.get(name, np.float64)) for name, shape in shapes.items()})


@dataclass(frozen=True, eq=False)
class SplitUniverses:
    """All universes of one split under one seed."""

    chunk: Chunk
    left_out: tuple[str, ...] = ()
    """Metrics that were not measured of some system, with the reason; they make no universe where that is so."""


def frame_of(chunk: Chunk) -> pl.DataFrame:
    """A chunk as a table, a column for every column of its arrays."""
    columns: dict[str, Any] = {}
    for part in fields(Chunk):
        array = getattr(chunk, part.name)
        rows = array[None] if array.ndim == 1 else array.T
        columns |= {f"{part.name} {k}": np.ascontiguousarray(row) for k, row in enumerate(rows)}
    return pl.DataFrame(columns)


def chunk_of(frame: pl.DataFrame, multiverse: Multiverse) -> Chunk:
    """A chunk from its table."""
    arrays: dict[str, Any] = {}
    empty = Chunk.empty(multiverse)
    for part in fields(Chunk):
        columns = [frame[c].to_numpy() for c in frame.columns if c.rpartition(" ")[0] == part.name]
        flat = getattr(empty, part.name).ndim == 1
        kind = _TYPES.get(part.name, np.float64)
        arrays[part.name] = np.asarray(columns[0] if flat else np.column_stack(columns), dtype=kind)
    return Chunk(**arrays)


def save_universes(ledger: Ledger, name: str, universes: SplitUniverses) -> None:
    """Keep the universes of a split in the results folder, with what was left out in the header."""
    ledger.save_table(name, frame_of(universes.chunk), header={"left_out": list(universes.left_out)})


def load_universes(ledger: Ledger, name: str, multiverse: Multiverse) -> SplitUniverses:
    """The universes of a split from the results folder."""
    left_out = tuple(str(reason) for reason in ledger.table_header(name).get("left_out", ()))
    return SplitUniverses(chunk_of(ledger.load_table(name), multiverse), left_out)


def assemble(multiverse: Multiverse, chunks: Sequence[Chunk]) -> Universes:
    """All universes in one table."""
    study = multiverse.study
    systems = tuple(s.name for s in study.recommend)
    pairs = np.array(system_pairs(systems, study.compare.baseline), dtype=np.int32).reshape(-1, 2)
    whole = Chunk.joined(chunks)
    columns: dict[str, Any] = {f.name: frozen(getattr(whole, f.name), _TYPES.get(f.name, np.float64)) for f in fields(Chunk)}
    return Universes(systems=systems, decisions=multiverse.decisions, pairs=pairs, **columns)


def without_repeats(chunks: Sequence[tuple[str, Chunk]]) -> tuple[list[Chunk], int]:
    """Drop universes that repeat those of an earlier seed; return the rest and the number dropped.

    `chunks` names each split without its seed. A split in time, a deterministic system and a test that draws nothing give
    the same numbers under every seed. The universes of one protocol and test are dropped together, and only if all their
    numbers are equal to the last bit.
    """
    first: dict[str, Chunk] = {}
    chunks_left, repeated = [], 0
    for name, chunk in chunks:
        before = first.setdefault(name, chunk)
        kept = chunk if before is chunk else _others(before, chunk)
        repeated += len(chunk.codes) - len(kept.codes)
        chunks_left.append(kept)
    return chunks_left, repeated


def _others(before: Chunk, chunk: Chunk) -> Chunk:
    rest = [k for k in range(len(NAMES)) if k != _SEED]
    if not len(chunk.codes) or not np.array_equal(before.codes[:, rest], chunk.codes[:, rest]):
        return chunk
    same = np.ones(len(chunk.codes), dtype=np.bool_)
    for name in ("values", "difference", "p"):
        same &= _equal(getattr(before, name), getattr(chunk, name))
    _, group = np.unique(chunk.codes[:, _TOGETHER], axis=0, return_inverse=True)
    repeats = np.bincount(group.reshape(-1), ~same) == 0
    kept = ~repeats[group.reshape(-1)]
    return Chunk(**{column.name: getattr(chunk, column.name)[kept] for column in fields(Chunk)})


def _equal(a: Float64, b: Float64) -> Bool:
    equal: Bool = ((a == b) | (np.isnan(a) & np.isnan(b))).all(axis=1)
    return equal
