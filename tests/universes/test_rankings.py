"""How universes rank the systems, as signs of all pairs of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau
from tests.universes.grids import USUAL, made, of

from heldout.universes.findings import AgreementBy
from heldout.universes.flips import neighbours
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.rankings import agreement, rankings
from heldout.universes.universes import Universes


def tau(universes: Universes, first: int, second: int) -> float:
    """Kendall's τ-b between the rankings of two universes; NaN where one of them ties all systems."""
    both = rankings(universes.only(np.isin(np.arange(len(universes)), [first, second])))
    if first == second:
        return 1.0 if both.signs.any() else float("nan")
    a, b = both.unit(both.of[:2])
    return float(a @ b) if a.any() and b.any() else float("nan")


def of_values(*values: tuple[float, ...]) -> Universes:
    """One universe for each row of values of the systems A, B, C."""
    grid = made({"cutoff": [str(n + 1) for n in range(len(values))]}, lambda row: 0.1)
    return replace(grid, systems=("A", "B", "C"), values=np.array(values), higher=np.ones(len(values), dtype=bool))


def test_signs_and_tau_by_hand() -> None:
    """A > B > C and A > C > B: signs (1, 1, 1) and (1, 1, −1), so τ = (1 + 1 − 1)/3."""
    grid = of_values((3, 2, 1), (3, 1, 2))
    assert rankings(grid).signs[rankings(grid).of].tolist() == [[1, 1, 1], [1, 1, -1]]
    assert tau(grid, 0, 1) == pytest.approx(1 / 3)
    assert tau(grid, 0, 0) == 1.0


def test_equal_rankings_are_one_and_counted() -> None:
    found = rankings(of_values((3, 2, 1), (30, 20, 10), (1, 2, 3)))
    assert sorted(found.counts.tolist()) == [1, 2]
    assert found.of[0] == found.of[1] != found.of[2]


def test_orders_in_words() -> None:
    grid = of_values((3, 3, 1), (1, np.nan, 2), (np.nan, np.nan, np.nan))
    found = rankings(grid)
    assert [found.order(int(k), grid.systems) for k in found.of] == ["A = B > C", "C > A", "no value"]


def test_lower_may_be_better_and_ties_have_no_tau() -> None:
    grid = of_values((3, 2, 1), (1, 1, 1))
    turned = replace(grid, higher=np.zeros(2, dtype=bool))
    found = rankings(turned)
    assert found.order(int(found.of[0]), grid.systems) == "C > B > A"
    assert np.isnan(tau(grid, 0, 1)) and np.isnan(tau(grid, 1, 1))


LEVELS = {"cutoff": ["1", "5", "10"], "target": ["AllItems", "TestItems"], "test": ["t", "sign"]}


def ranked(values):
    decisions = tuple(decision(name, LEVELS.get(name, USUAL[name])) for name in NAMES)
    codes = made(LEVELS, lambda row: 0.0).codes
    return of(decisions, codes, np.asarray(values, dtype=np.float64))


@pytest.fixture
def universes():
    return ranked(np.random.default_rng(2).integers(0, 4, size=(12, 5)))  # few values: many ties


def alltogether(universes):
    return agreement(universes, [neighbours(universes, k) for k in universes.varying])


def test_tau_of_two_rankings_by_hand():
    values = np.tile([3.0, 2.0, 1.0], (12, 1))
    values[1] = [3.0, 1.0, 2.0]
    universes = ranked(values)
    assert tau(universes, 0, 1) == pytest.approx(1 / 3)
    assert tau(universes, 0, 2) == pytest.approx(1)
    assert rankings(universes).order(0, universes.systems) == "A > B > C"


def test_tau_and_its_means_equal_scipy_on_ties(universes):
    known = {}
    for a, b in combinations(range(12), 2):
        known[a, b] = kendalltau(universes.values[a], universes.values[b]).statistic
        assert tau(universes, a, b) == pytest.approx(known[a, b], abs=1e-12)
    found = alltogether(universes)
    assert found.mean == pytest.approx(np.mean(list(known.values())), abs=1e-12)
    for one in found.by_decision:
        k = universes.decision(one.decision)
        mine = {
            (a, b): value
            for (a, b), value in known.items()
            if np.flatnonzero(universes.codes[a] != universes.codes[b]).tolist() == [k]
        }
        assert one.mean == pytest.approx(np.mean(list(mine.values())), abs=1e-12)
        for i, j in combinations(range(len(one.levels)), 2):
            between = [v for (a, b), v in mine.items() if {universes.codes[a, k], universes.codes[b, k]} == {i, j}]
            assert one.between[i][j] == one.between[j][i] == pytest.approx(np.mean(between), abs=1e-12)


def test_lower_is_better_and_missing_values(universes):
    flipped = ranked(-universes.values)
    flipped.higher[:] = False
    assert rankings(flipped).places.tolist() == rankings(universes).places.tolist()
    values = universes.values.copy()
    values[0, 0] = np.nan
    assert rankings(ranked(values)).order(int(rankings(ranked(values)).of[0]), "ABCDE").count("A") == 0


def test_the_map_keeps_the_distances_of_three_rankings():
    # Three points always lie in a plane, so the map is exact: squared distances 2(1 − τ).
    values = np.repeat([[3.0, 2.0, 1.0], [3.0, 1.0, 2.0], [1.0, 2.0, 3.0]], 4, axis=0)
    found = alltogether(ranked(values))
    assert found.distinct == 3
    at = {p.order: np.array([p.x, p.y]) for p in found.points}
    for a, b, expected in (
        ("A > B > C", "A > C > B", 1 / 3),
        ("A > B > C", "C > B > A", -1),
        ("A > C > B", "C > B > A", -1 / 3),
    ):
        assert np.sum((at[a] - at[b]) ** 2) == pytest.approx(2 * (1 - expected), abs=1e-12)
    assert sum(found.axes) == pytest.approx(1)
    assert found.left_out == 0
    assert sum(p.universes for p in found.points) == 12


def test_equal_rankings_have_a_mean_tau_of_1():
    values = np.tile([5.0, 4.0, 3.0, 2.0, 1.0], (12, 1))
    found = alltogether(ranked(values))
    assert found.mean == pytest.approx(1, abs=1e-12)
    assert [one.mean for one in found.by_decision] == pytest.approx([1, 1, 1], abs=1e-12)


def test_two_of_three_agree():
    found = alltogether(made({"cutoff": ["1", "5", "10"]}, lambda row: -0.1 if row["cutoff"] == "1" else 0.1))
    assert found.mean == pytest.approx(-1 / 3)
    assert found.common == (("A > B", 2), ("B > A", 1))


def test_universes_that_tie_all_systems_have_no_tau():
    found = alltogether(made({"cutoff": ["1", "5"]}, lambda row: 0.0))
    assert np.isnan(found.mean)
    assert np.isnan(found.by_decision[0].mean)
    assert found.common == (("A = B", 2),)


def test_the_two_options_between_which_universes_agree_least():
    nan = float("nan")
    by = AgreementBy("cutoff", 0.5, ("1", "5", "10"), ((1.0, nan, 0.2), (nan, 1.0, 0.7), (0.2, 0.7, 1.0)))
    assert by.least_alike == ("1", "10", 0.2)
    assert AgreementBy("cutoff", nan, ("1", "5"), ((1.0, nan), (nan, 1.0))).least_alike is None
