"""The table of universes: which decisions vary, and rows and pairs taken out of it."""

from __future__ import annotations

import numpy as np
from tests.universes.grids import made, of

from heldout.universes.grid.decisions import NAMES, NOT_APPLICABLE
from heldout.universes.universes import Universes, dense, keys, occurring, summed

GRID = made({"metric": ["P", "nDCG"], "gain": ["binary", "exp2"], "ties": ["item"]}, lambda row: 0.1)
"""P alone, and nDCG with either gain map."""


def test_a_decision_varies_only_where_two_options_apply() -> None:
    assert len(GRID) == 3
    assert [GRID.decisions[k].name for k in GRID.varying] == ["metric", "gain"]
    plain = GRID.only(GRID.codes[:, GRID.decision("metric")] == 0)
    assert len(plain) == 1 and plain.varying == ()
    one_gain = GRID.only(GRID.codes[:, GRID.decision("gain")] <= 0)  # P without a gain map, nDCG with one
    assert [one_gain.decisions[k].name for k in one_gain.varying] == ["metric"]


def test_what_a_universe_chose() -> None:
    gain, metric = GRID.decision("gain"), GRID.decision("metric")
    chosen = {(GRID.level(k, metric), GRID.level(k, gain)) for k in range(3)}
    assert chosen == {("P", NOT_APPLICABLE), ("nDCG", "binary"), ("nDCG", "exp2")}


def test_the_leader_of_a_pair_also_where_a_value_is_missing() -> None:
    universes = of(GRID.decisions, np.zeros((3, len(NAMES)), np.int32), np.array([[0.3, 0.2], [0.2, 0.2], [np.nan, 0.2]]))
    assert universes.lead.ravel().tolist() == [1, 0, 0]


def test_pairs_with_a_system_that_failed_everywhere_are_left_out() -> None:
    values = np.array([[0.3, np.nan, 0.1], [0.2, np.nan, np.nan]])
    universes = of(GRID.decisions, np.zeros((2, len(NAMES)), np.int32), values)
    compared = universes.compared()
    assert list(universes.pair_names()) == [("A", "B"), ("A", "C"), ("B", "C")]
    assert list(compared.pair_names()) == [("A", "C")] and compared.difference.shape == compared.served.shape == (2, 1)
    assert compared.systems == universes.systems and compared.values.shape == (2, 3)


def test_a_row_for_every_universe_and_pair() -> None:
    values = np.array([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]])
    frame = of(GRID.decisions, np.zeros((2, len(NAMES)), np.int32), values).to_polars()
    assert frame.select("universe", "a", "b", "value_a", "value_b").rows() == [
        (0, "A", "B", 0.3, 0.2),
        (0, "A", "C", 0.3, 0.1),
        (0, "B", "C", 0.2, 0.1),
        (1, "A", "B", 0.1, 0.2),
        (1, "A", "C", 0.1, 0.3),
        (1, "B", "C", 0.2, 0.3),
    ]
    assert frame["metric"].to_list() == ["P"] * 6


def test_the_table_gives_the_universes_back() -> None:
    levels = {"metric": ["P", "nDCG"], "gain": ["binary", "exp2"], "split": ["ratio(train=0.9)", "ratio(train=0.5)"]}
    first = made(levels, lambda row: 0.02)
    again = Universes.from_polars(first.to_polars())
    assert again.systems == first.systems and again.decisions == first.decisions
    of_systems = ("codes", "pairs", "values", "users", "other_users", "low", "high", "higher")
    for name in (*of_systems, "difference", "effect", "d", "p", "p_adjusted", "winner", "served"):
        np.testing.assert_array_equal(getattr(again, name), getattr(first, name))


def test_a_table_of_an_earlier_version_has_no_intervals_or_users() -> None:
    earlier = GRID.to_polars().drop("low_a", "low_b", "high_a", "high_b", "users_a", "users_b", "other_users")
    again = Universes.from_polars(earlier)
    assert np.isnan(again.low).all() and np.isnan(again.high).all()
    assert not again.users.any() and not again.other_users.any()
    np.testing.assert_array_equal(again.values, GRID.values)


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
