"""Seeds make universes only where something is drawn."""

from __future__ import annotations

from typing import Any

import polars as pl

from heldout.universes.compute.explore import explore
from heldout.universes.grid.file import multiverse_from

KEYS: dict[str, Any] = {
    "data": "simulate(users=80, items=60, ratings=1600)",
    "split": ["temporal(at=0.7)", "ratio(train=0.7)"],
    "recommend": ["Popularity", "UserKNN(k=5)"],
    "target": ["AllItems", "OnePlusRandom(10)"],
    "metrics": ["P", "nDCG"],
    "compare": ["t", "permutation(samples=200)"],
    "multiverse": {"seeds": [1, 2, 3], "cutoffs": [5, 10]},
}


def _counts(**keys: Any) -> dict[tuple[str, str, str, str], int]:
    found = explore(multiverse_from({**KEYS, **keys}))
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
    found = explore(multiverse_from({**KEYS, "split": ["temporal(at=0.7)"], "target": ["AllItems"], "compare": ["t"]}))
    assert found.left_out == ("8 of other seeds are those of seed 1 again: nothing is drawn in them",)
    assert len(found.universes) == 4
