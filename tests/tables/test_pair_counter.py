"""Counts of pairs and of values are those of polars and numpy, whatever the blocks and the size of the hash."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heldout.tables import pair_counter
from heldout.tables.pair_counter import PairCounter, distinct_counts


def test_pairs_of_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_counter, "_SLOTS", 4)  # it must grow
    draw = np.random.default_rng(1)
    rows = pl.DataFrame({"number": draw.integers(-40, 50, 3000), "value": draw.integers(-1, 3, 3000) / 2 * -1.0})
    counter = PairCounter()
    for start in range(0, 3000, 700):
        counter.add(rows["number"][start : start + 700].to_numpy(), rows["value"][start : start + 700].to_numpy())
    counted = pl.DataFrame(dict(zip(("number", "value", "len"), counter.pairs(), strict=True))).sort("number", "value")
    assert counted.rows() == rows.group_by("number", "value").len().sort("number", "value").rows()
    assert counter.used == counted.height


@pytest.mark.parametrize("most", [2, 10**6])
def test_distinct_values_are_those_of_numpy(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(pair_counter, "_BLOCK", 128)
    monkeypatch.setattr(pair_counter, "_MOST", most)
    values = np.random.default_rng(2).integers(-4, 5, 1000) / 2 * -1.0  # −0 among them
    distinct, counts = distinct_counts(values)
    wanted = np.unique(values, return_counts=True)
    assert np.array_equal(distinct, wanted[0]) and np.array_equal(counts, wanted[1])
    assert [len(part) for part in distinct_counts(np.empty(0))] == [0, 0]
