"""Universes by their choices."""

import numpy as np
from tests.universes.findings.grids import made

from heldout.universes.findings.neighbours import dense, keys, neighbours, occurring, summed


def test_keys_number_every_combination_of_levels():
    key, size = keys(np.array([[0, -1], [1, 0], [1, -1]], dtype=np.int32), [0, 1])
    assert size == 4
    assert key.tolist() == [0, 3, 2]


def test_keys_stay_apart_where_the_product_of_levels_exceeds_64_bits():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 50, size=(500, 20)).astype(np.int32)
    codes[0] = codes[1]
    key, _ = keys(codes, range(20))
    assert key[0] == key[1]
    assert len(np.unique(key)) == len(np.unique(codes, axis=0))
    assert dense(codes, range(20))[1] == len(np.unique(codes, axis=0))


def test_sums_by_key():
    found = summed(np.array([0, 2, 0]), 3, np.array([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]]))
    assert found.tolist() == [[4.0, 12.0], [0.0, 0.0], [2.0, 6.0]]


def test_levels_that_occur():
    assert occurring(np.array([3, -1, 3, 0], dtype=np.int32)).tolist() == [-1, 0, 3]


def test_neighbours_of_a_full_grid_are_all_with_the_rest_equal():
    universes = made({"cutoff": ["1", "5"], "target": ["AllItems", "TestItems", "TestRatings"]}, lambda row: 0.1)
    near = neighbours(universes, universes.decision("target"))
    assert near.table.shape == (2, 3)
    cutoff = universes.codes[:, universes.decision("cutoff")]
    assert [set(cutoff[row].tolist()) for row in near.table] in ([{0}, {1}], [{1}, {0}])


def test_a_metric_that_brings_a_gain_map_is_no_neighbour_of_one_that_does_not():
    universes = made({"metric": ["P", "Recall", "nDCG", "ERR"], "gain": ["linear", "exp2"]}, lambda row: 0.1)
    near = neighbours(universes, universes.decision("metric"))
    pairs = {tuple(sorted(universes.level(u, near.decision) for u in row if u >= 0)) for row in near.table.tolist()}
    assert pairs == {("P", "Recall"), ("ERR", "nDCG")}
    assert len(near.table) == 3  # P and Recall; nDCG and ERR by each of two gains


def test_a_gain_map_that_is_no_choice_keeps_metrics_neighbours():
    universes = made({"metric": ["P", "nDCG"], "gain": ["exp2"]}, lambda row: 0.1)
    assert [universes.decisions[k].name for k in universes.varying] == ["metric"]
    assert neighbours(universes, universes.decision("metric")).table.shape == (1, 2)


def test_gains_are_neighbours_within_their_metric():
    universes = made({"metric": ["P", "nDCG"], "gain": ["linear", "exp2"]}, lambda row: 0.1)
    near = neighbours(universes, universes.decision("gain"))
    assert near.table.shape == (1, 2)
    assert near.levels.tolist() == [0, 1]
