"""The study files in examples/ are read, and their grids are as large as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from heldout.universes.grid.file import read_multiverse

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))
UNIVERSES = {"canamares-2020": 9 * 3 * 2 * 2 * (10 + 2 * 20) * 2 * (2 + 1 + 1 + 2)}
"""Splits × seeds × fallbacks × targets × (P at 10 depths, nDCG and RBP with 2 gains) × coverage × (tests of each mean)."""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_a_grid(path: Path) -> None:
    found = read_multiverse(path, instead={"data": "simulate(users=50, items=20, ratings=500)"})
    assert len(found) == UNIVERSES[path.stem]
