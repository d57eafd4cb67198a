"""Universes of a split, kept and put together."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from heldout.experiment.ledger import Ledger
from heldout.universes.compute.explore import explore
from heldout.universes.compute.parts import (
    Chunk,
    SplitUniverses,
    assemble,
    load_universes,
    save_universes,
)
from heldout.universes.grid.decisions import NAMES
from heldout.universes.grid.file import multiverse_from
from heldout.universes.grid.grid import Multiverse

KEYS: dict[str, Any] = {
    "data": "simulate(users=40, items=30, ratings=400)",
    "split": "ratio",
    "recommend": ["Popularity", "Random", "AverageRating"],
    "metrics": ["P@5"],
    "compare": ["t"],
}
MULTIVERSE = multiverse_from(KEYS)


def chunk(multiverse: Multiverse, n: int, seed: int = 1) -> Chunk:
    """So many universes of random numbers."""
    draw = np.random.default_rng(seed)
    columns: dict[str, Any] = {}
    for name, array in ((f.name, getattr(Chunk.empty(multiverse), f.name)) for f in fields(Chunk)):
        shape = (n, *array.shape[1:])
        numbers = draw.random(shape) if array.dtype == np.float64 else draw.integers(0, 2, shape)
        columns[name] = numbers.astype(array.dtype)
    columns["p"][0] = np.nan
    return Chunk(**columns)


def same(a: Chunk, b: Chunk) -> bool:
    columns = [(getattr(a, f.name), getattr(b, f.name)) for f in fields(Chunk)]
    return all(x.dtype == y.dtype and np.array_equal(x, y, equal_nan=x.dtype == np.float64) for x, y in columns)


def test_none_at_all_has_the_width_of_its_systems_and_pairs() -> None:
    empty = Chunk.empty(MULTIVERSE)
    assert empty.values.shape == (0, 3) and empty.p.shape == (0, 3) and empty.codes.shape == (0, len(NAMES))
    against = multiverse_from({**KEYS, "compare": {"tests": "t", "baseline": "Random"}})
    assert Chunk.empty(against).p.shape == (0, 2)
    assert same(Chunk.joined([empty, chunk(MULTIVERSE, 2)]), chunk(MULTIVERSE, 2))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_universes_of_a_split_and_what_was_left_out_are_kept(n: int, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "out")
    ledger.announce({})
    kept = SplitUniverses(chunk(MULTIVERSE, n) if n else Chunk.empty(MULTIVERSE), ("RMSE of Random: no ratings",))
    save_universes(ledger, "u", kept)
    again = load_universes(ledger, "u", MULTIVERSE)
    assert same(again.chunk, kept.chunk) and again.left_out == kept.left_out


def test_chunks_are_put_one_after_another() -> None:
    first, second = chunk(MULTIVERSE, 2), chunk(MULTIVERSE, 3, seed=2)
    universes = assemble(MULTIVERSE, [first, second])
    assert len(universes) == 5 and universes.systems == ("Popularity", "Random", "AverageRating")
    assert universes.pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert universes.values[2:].tolist() == second.values.tolist()
    with pytest.raises(ValueError, match="read-only"):
        universes.values[0, 0] = 1


REPEATED: dict[str, Any] = {
    "data": "simulate(users=80, items=60, ratings=1600)",
    "split": ["temporal(at=0.7)", "ratio(train=0.7)"],
    "recommend": ["Popularity", "UserKNN(k=5)"],
    "target": ["AllItems", "OnePlusRandom(10)"],
    "metrics": ["P", "nDCG"],
    "compare": ["t", "permutation(samples=200)"],
    "multiverse": {"seeds": [1, 2, 3], "cutoffs": [5, 10]},
}


def _counts(**keys: Any) -> dict[tuple[str, str, str, str], int]:
    found = explore(multiverse_from({**REPEATED, **keys}))
    names = ["split", "target", "test", "seed"]
    frame = found.universes.to_polars().with_columns(pl.col(names).cast(pl.String))
    return {tuple(row[:4]): row[4] for row in frame.group_by(names).len().rows()}


def test_where_nothing_is_drawn_only_the_first_seed_makes_universes() -> None:
    found = _counts()
    # 2 metrics × 2 cut-offs: 4 universes wherever a seed makes any. All but the split in time, AllItems and t draw.
    assert all(count == 4 for count in found.values())
    drawn = {seed for split, target, test, seed in found if (split, target, test) == ("temporal(at=0.7)", "AllItems", "t")}
    assert drawn == {"1"}
    assert len(found) == 2 * 2 * 2 * 3 - 2


def test_a_system_of_chance_makes_all_seeds_count() -> None:
    assert len(_counts(recommend=["Popularity", "Random"])) == 2 * 2 * 2 * 3


def test_it_is_said() -> None:
    found = explore(multiverse_from({**REPEATED, "split": ["temporal(at=0.7)"], "target": ["AllItems"], "compare": ["t"]}))
    assert found.left_out == ("8 of other seeds are those of seed 1 again: nothing is drawn in them",)
    assert len(found.universes) == 4
