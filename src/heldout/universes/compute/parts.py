"""Universes of one split, as they are kept in the results folder, and all of them put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import polars as pl

from heldout.significance.pairs import system_pairs
from heldout.tables.arrays import Bool, Float64, Int8, Int32, frozen
from heldout.universes.compute.verdicts import Verdicts
from heldout.universes.grid.decisions import NAMES
from heldout.universes.grid.grid import Multiverse
from heldout.universes.grid.layout import UniverseLayout
from heldout.universes.universes import Universes

_INNER = ("metric", "cutoff", "gain", "aggregate", "undefined", "coverage", "test")
_TYPES = {"codes": np.int32, "higher": np.bool_, "winner": np.int8}


@dataclass(frozen=True, eq=False)
class Chunk:
    """Some universes: the columns of `Universes`."""

    codes: Int32
    values: Float64
    higher: Bool
    difference: Float64
    effect: Float64
    d: Float64
    p: Float64
    p_adjusted: Float64
    winner: Int8
    served: Float64

    @classmethod
    def of(cls, multiverse: Multiverse, outer: Mapping[str, str], places: UniverseLayout, found: Verdicts) -> Chunk:
        """The universes of one way of judging; `outer` has the decisions made before measuring."""
        codes = np.empty((len(places), len(NAMES)), dtype=np.int32)
        for k, one in enumerate(multiverse.decisions):
            if one.name in outer:
                codes[:, k] = one.levels.index(outer[one.name])
            else:
                codes[:, k] = places.codes[:, _INNER.index(one.name)]
        return cls(codes, **{one.name: getattr(found, one.name) for one in fields(cls) if one.name != "codes"})

    @classmethod
    def joined(cls, chunks: Sequence[Chunk]) -> Chunk:
        """Several one after another."""
        return cls(*(np.concatenate([getattr(c, f.name) for c in chunks]) for f in fields(cls)))

    @classmethod
    def empty(cls, multiverse: Multiverse) -> Chunk:
        """None at all."""
        systems = [s.name for s in multiverse.study.recommend]
        pairs = len(system_pairs(systems, multiverse.study.compare.baseline))
        width = {"codes": len(NAMES), "values": len(systems)}
        return cls(
            *(
                np.empty(0 if f.name == "higher" else (0, width.get(f.name, pairs)), dtype=_TYPES.get(f.name, np.float64))
                for f in fields(cls)
            )
        )


def frame_of(chunk: Chunk) -> pl.DataFrame:
    """A chunk as a table, a column for every column of its arrays."""
    made: dict[str, Any] = {}
    for one in fields(Chunk):
        array = getattr(chunk, one.name)
        rows = array[None] if array.ndim == 1 else array.T
        made |= {f"{one.name} {k}": np.ascontiguousarray(row) for k, row in enumerate(rows)}
    return pl.DataFrame(made)


def chunk_of(frame: pl.DataFrame, multiverse: Multiverse) -> Chunk:
    """A chunk from its table."""
    made: list[Any] = []
    empty = Chunk.empty(multiverse)
    for one in fields(Chunk):
        columns = [frame[c].to_numpy() for c in frame.columns if c.rpartition(" ")[0] == one.name]
        kind = _TYPES.get(one.name, np.float64)
        flat = getattr(empty, one.name).ndim == 1
        made.append(np.asarray(columns[0] if flat else np.column_stack(columns), dtype=kind))
    return Chunk(*made)


def assemble(multiverse: Multiverse, chunks: Sequence[Chunk]) -> Universes:
    """All universes in one table."""
    study = multiverse.study
    systems = tuple(s.name for s in study.recommend)
    pairs = np.array(system_pairs(systems, study.compare.baseline), dtype=np.int32).reshape(-1, 2)
    whole = Chunk.joined(chunks)
    return Universes(
        systems,
        multiverse.decisions,
        frozen(whole.codes, np.int32),
        pairs,
        frozen(whole.values, np.float64),
        frozen(whole.higher, np.bool_),
        frozen(whole.difference, np.float64),
        frozen(whole.effect, np.float64),
        frozen(whole.d, np.float64),
        frozen(whole.p, np.float64),
        frozen(whole.p_adjusted, np.float64),
        frozen(whole.winner, np.int8),
        frozen(whole.served, np.float64),
    )
