"""Universes that repeat those of another seed, because nothing in them is drawn at random."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import numpy as np

from heldout.tables.arrays import Bool, Float64
from heldout.universes.compute.parts import Chunk
from heldout.universes.grid.decisions import NAMES

_SEED = NAMES.index("seed")
_TOGETHER = tuple(
    k for k, name in enumerate(NAMES) if name not in ("seed", "metric", "cutoff", "gain", "aggregate", "undefined")
)
"""Decisions that fix whether anything is random: all metrics and means of one protocol and test agree on it."""


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
