"""How universes rank the systems, as signs of all pairs of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.universes.findings.grids import made

from heldout.universes.findings.rankings import rankings, tau
from heldout.universes.universes import Universes


def universes(*values: tuple[float, ...]) -> Universes:
    """One universe for each row of values of the systems A, B, C."""
    grid = made({"cutoff": [str(n + 1) for n in range(len(values))]}, lambda row: 0.1)
    return replace(grid, systems=("A", "B", "C"), values=np.array(values), higher=np.ones(len(values), dtype=bool))


def test_signs_and_tau_by_hand() -> None:
    """A > B > C and A > C > B: signs (1, 1, 1) and (1, 1, −1), so τ = (1 + 1 − 1)/3."""
    grid = universes((3, 2, 1), (3, 1, 2))
    assert rankings(grid).signs[rankings(grid).of].tolist() == [[1, 1, 1], [1, 1, -1]]
    assert tau(grid, 0, 1) == pytest.approx(1 / 3)
    assert tau(grid, 0, 0) == 1.0


def test_equal_rankings_are_one_and_counted() -> None:
    found = rankings(universes((3, 2, 1), (30, 20, 10), (1, 2, 3)))
    assert sorted(found.counts.tolist()) == [1, 2]
    assert found.of[0] == found.of[1] != found.of[2]


def test_orders_in_words() -> None:
    grid = universes((3, 3, 1), (1, np.nan, 2), (np.nan, np.nan, np.nan))
    found = rankings(grid)
    assert [found.order(int(k), grid.systems) for k in found.of] == ["A = B > C", "C > A", "no value"]


def test_lower_may_be_better_and_ties_have_no_tau() -> None:
    grid = universes((3, 2, 1), (1, 1, 1))
    turned = replace(grid, higher=np.zeros(2, dtype=bool))
    found = rankings(turned)
    assert found.order(int(found.of[0]), grid.systems) == "C > B > A"
    assert np.isnan(tau(grid, 0, 1)) and np.isnan(tau(grid, 1, 1))
