"""How alike universes rank the systems."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import kendalltau
from tests.universes.findings.grids import USUAL, made, of

from heldout.universes.findings.agreement import AgreementBy, agreement
from heldout.universes.findings.neighbours import neighbours
from heldout.universes.findings.rankings import rankings, tau
from heldout.universes.grid.decisions import NAMES, decision

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
        assert tau(universes, a, b) == pytest.approx(known[a, b], abs=1e-6)
    found = alltogether(universes)
    assert found.mean == pytest.approx(np.mean(list(known.values())), abs=1e-6)
    for one in found.by_decision:
        k = universes.decision(one.decision)
        mine = {
            (a, b): value
            for (a, b), value in known.items()
            if np.flatnonzero(universes.codes[a] != universes.codes[b]).tolist() == [k]
        }
        assert one.mean == pytest.approx(np.mean(list(mine.values())), abs=1e-6)
        for i, j in combinations(range(len(one.levels)), 2):
            between = [v for (a, b), v in mine.items() if {universes.codes[a, k], universes.codes[b, k]} == {i, j}]
            assert one.between[i][j] == one.between[j][i] == pytest.approx(np.mean(between), abs=1e-6)


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
        assert np.sum((at[a] - at[b]) ** 2) == pytest.approx(2 * (1 - expected), abs=1e-6)
    assert sum(found.axes) == pytest.approx(1)
    assert found.left_out == 0
    assert sum(p.universes for p in found.points) == 12


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
