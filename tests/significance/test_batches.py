"""Sums over groups of users and values in batches are those of all at once."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from tests.heavy import heavy

from heldout.aggregations import GeometricMean, Median
from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.mean import PLAIN
from heldout.catalogue import make
from heldout.significance.batches import PairStatistics, compare_batches
from heldout.significance.group_sums import GroupSums, groups_of_users
from heldout.significance.groups import letters
from heldout.significance.value_batch import ScaledValues, ValueBatch
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.id_hash import GROUPS, groups_of, hash_ids

PAIRS = np.array([[0, 1]])


def _columns(users: int, gap: float, seed: int = 3) -> np.ndarray:
    """Two systems' reciprocal ranks of the same users, one better by `gap` on average."""
    draw = np.random.default_rng(seed)
    ease = draw.random(users)
    return np.stack([np.where(draw.random(users) < ease + shift, 1 / draw.integers(1, 11, users), 0) for shift in (gap, 0)])


def _sums(rows: Float64, groups: Int64, pairs: Int64 = PAIRS, weights: Float64 | None = None) -> GroupSums:
    sums = GroupSums.empty(len(pairs))
    sums.add(rows, pairs, groups, weights)
    return sums


def test_sums_by_hand() -> None:
    rows, groups = np.array([[1.0, 2.0, 4.0], [0.0, 1.0, 1.0]]), np.array([5, 7, 5])
    sums = _sums(rows, groups)
    assert sums.sums[0, [5, 6, 7]].tolist() == [4.0, 0.0, 1.0]
    assert sums.counts[0, [5, 6, 7]].tolist() == [2.0, 0.0, 1.0]
    sums.add(rows[:, :1], PAIRS, np.array([9]))  # one more user, of another group
    assert (sums.sums[0, 9], sums.counts[0, [5, 9]].tolist()) == (1.0, [2.0, 1.0])
    assert _sums(rows, groups, weights=np.array([1.0, 1.0, 2.0])).sums[0, [5, 7]].tolist() == [7.0, 1.0]


def test_pairs_on_other_users_are_tested_by_their_own_groups() -> None:
    columns = _columns(200, 0.1)
    groups = groups_of(hash_ids(pl.Series(np.arange(200))))
    sums = GroupSums.empty(3)
    sums.add(columns, np.array([[0, 1], [1, 0]]), groups, places=np.array([0, 2]))
    sums.add(columns[:, :90], PAIRS, groups[:90], places=np.array([1]))
    for test in (make("test", "permutation(samples=4096)"), make("test", "bootstrap(samples=300)")):
        p = sums.p_values(test, seed=1)
        assert p[0] == p[2] == _sums(columns, groups).p_values(test, seed=1)[0]
        assert p[1] == _sums(columns[:, :90], groups[:90]).p_values(test, seed=1)[0]
        assert np.isnan(GroupSums.empty(1).p_values(test, seed=1)[0])


def test_flips_of_groups_by_hand() -> None:
    # Three groups with differences 1, 2 and 3 and 65,533 without any: as three users, but for the flips that are drawn.
    sums = np.zeros((1, GROUPS))
    sums[0, [9, 80, 700]] = 1.0, 2.0, 3.0
    p = make("test", "permutation").p_of_groups(sums, np.full(GROUPS, 2.0), seed=1)
    assert p[0] == pytest.approx(0.25, abs=0.01)  # +++ and −−− of 8 patterns


def test_bootstrap_of_groups_of_one_user_is_that_of_users() -> None:
    # With one user a group, mean and error are those of users; resamples are other draws of 2,000.
    columns = _columns(4000, 0.03)
    sums, counts = np.zeros((1, GROUPS)), np.zeros(GROUPS)
    sums[0, :4000], counts[:4000] = columns[0] - columns[1], 1.0
    test = make("test", "bootstrap(samples=2000)")
    by_groups = test.p_of_groups(sums, counts, seed=1)[0]
    by_users = test.p_values(columns.T, PAIRS, seed=1)[0]
    error = np.sqrt(2 * by_users * (1 - by_users) / 2000)
    assert abs(by_groups - by_users) < 5 * error
    assert test.p_of_groups(np.zeros((1, GROUPS)), counts, seed=1).tolist() == [1.0]
    assert test.p_of_groups(counts[None], counts, seed=1)[0] == pytest.approx(1 / 2001)


def _large(columns: Float64, included: Bool) -> ValueBatch:
    """One metric of more users than a block has."""
    return ValueBatch(
        name="RR",
        values=ScaledValues(columns[:, None]),
        included=included,
        aggregation=make("aggregation", "mean"),
        user_groups=groups_of(hash_ids(pl.Series(np.arange(columns.shape[1])))),
    )


def test_users_of_more_than_one_block_are_compared_by_groups() -> None:
    users = GROUPS + 5000
    columns, everybody = _columns(users, 0.002), np.ones(users, dtype=np.bool_)
    batch = _large(columns, np.ones((2, users), dtype=np.bool_))
    test = make("test", "permutation(samples=65536)")
    (statistics,) = compare_batches([batch], [(0, 1)], tests=[test], seed=1)
    by_groups = _sums(columns, groups_of(hash_ids(pl.Series(np.arange(users))))).p_values(test, seed=1)
    assert statistics.p[str(test)][0] == pytest.approx(by_groups, abs=1e-4)  # blocks are added in another order
    assert np.array_equal(groups_of_users(None, everybody), groups_of(hash_ids(pl.Series(np.arange(users)))))


def test_groups_are_taken_by_how_many_users_were_measured_not_by_how_many_are_compared() -> None:
    users = GROUPS + 5000
    columns, included = _columns(users, 0.002), np.ones((2, users), dtype=np.bool_)
    included[1, 3000:] = False
    test = make("test", "permutation(samples=65536)")
    (statistics,) = compare_batches([_large(columns, included)], [(0, 1)], tests=[test], seed=1)
    both = groups_of(hash_ids(pl.Series(np.arange(3000))))
    assert statistics.users.tolist() == [[3000]]
    assert statistics.p[str(test)][0].tolist() == _sums(columns[:, :3000], both).p_values(test, seed=1).tolist()


@heavy
@pytest.mark.parametrize(("users", "gap"), [(100_000, 0.0015), (1_000_000, 0.0005)])
@pytest.mark.parametrize("name", ["permutation", "bootstrap"])
def test_groups_give_the_p_of_users(users: int, gap: float, name: str) -> None:
    """Figures in docs/scale.md: over 20 pairs, p by groups and p by users differ as two samples of flips or draws do."""
    test = make("test", name if name == "permutation" else "bootstrap(samples=1000)")
    systems = np.concatenate([_columns(users, gap * k / 5, seed=k) for k in range(5 if name == "bootstrap" else 20)])
    pairs = np.arange(len(systems)).reshape(-1, 2)
    by_groups = _sums(systems, groups_of_users(None, np.ones(users, dtype=np.bool_)), pairs).p_values(test, seed=1)
    by_users = test.p_values(systems.T, pairs, seed=1)
    # Grouping changes the pattern of signs and so p itself by about √(p(1−p) · 2/65,536) besides the samples' own error.
    error = np.sqrt(by_users * (1 - by_users) * (2 / GROUPS + 2 / test.samples))
    assert (np.abs(by_groups - by_users) < 5 * error + 1e-5).all()


def test_by_hand() -> None:
    assert letters([0, 1, 2], {(0, 1): 0.3, (1, 2): 0.2, (0, 2): 0.01}) == ["a", "ab", "b"]
    assert letters([2, 0, 1], {(0, 1): 0.01, (1, 2): 0.01, (0, 2): 0.01}) == ["b", "c", "a"]
    assert letters([0, 1], {(0, 1): 0.9}) == ["a", "a"]
    assert letters([1, 0], {(1, 0): 0.01}) == ["b", "a"]
    assert letters([0], {}) == ["a"]
    assert letters([], {}) == []


def test_a_pair_without_p_is_not_told_apart_and_the_level_is_strict() -> None:
    assert letters([0, 1, 2], {(0, 1): None, (0, 2): float("nan"), (1, 2): 0.05}) == ["a", "a", "a"]
    assert letters([0, 1], {(0, 1): 0.05}, alpha=0.051) == ["a", "b"]


@pytest.mark.parametrize("seed", range(20))
def test_two_systems_share_a_letter_exactly_when_not_told_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 10))
    adjusted = {pair: float(rng.choice([0.01, 0.5])) for pair in combinations(range(n), 2)}
    found = letters(rng.permutation(n).tolist(), adjusted)
    for (a, b), p in adjusted.items():
        assert bool(set(found[a]) & set(found[b])) == (p >= 0.05)


BATCHES_PAIRS = [(0, 1), (0, 2), (1, 2)]
TESTS = [make("test", text) for text in ("t", "sign", "wilcoxon", "permutation(samples=64)", "friedman")]
NUMBERS = ("users", "value_a", "value_b", "low", "high", "cohen_d", "greater", "equal", "less", "superiority")


def batch(values: Float64, included: Bool, by: Aggregation = PLAIN, weights: Float64 | None = None) -> ValueBatch:
    return ValueBatch(name="P@10", values=ScaledValues(values), included=included, aggregation=by, weights=weights)


def made_up(seed: int, metrics: int = 4, users: int = 30) -> tuple[Float64, Bool]:
    """Three systems: metrics 0 and 1 skip the same users, 2 skips others, 3 none; some users are not included."""
    draw = np.random.default_rng(seed)
    values = np.round(draw.random((3, metrics, users)), 2)
    values[:, :2, 4:7] = np.nan
    values[1, 2, :5] = np.nan
    return values, draw.random((3, users)) < 0.9


def compared(one: ValueBatch, level: float | None = 0.95) -> PairStatistics:
    return compare_batches([one], BATCHES_PAIRS, tests=TESTS, seed=1, level=level)[0]


def test_batches_by_hand() -> None:
    """Differences 1, 2 and 3, and 0.5 thrice: means 2 and 0.5; the second has no spread to divide by."""
    values = np.array([[[1.0, 2, 3], [0.5, 0.5, 0.5]], [[0.0, 0, 0], [0.0, 0, 0]]])
    one = batch(values, np.ones((2, 3), dtype=np.bool_))
    found = compare_batches([one], [(0, 1)], tests=[make("test", "t")], seed=1, level=0.95)[0]
    assert found.difference[:, 0].tolist() == [2.0, 0.5]
    assert found.cohen_d[0, 0] == pytest.approx(2.0)
    assert np.isnan(found.cohen_d[1, 0])
    assert found.p["t"][0, 0] == pytest.approx(1 - np.sqrt(12 / 14), abs=1e-14)
    assert one.system_values().tolist() == [[2.0, 0.0], [0.5, 0.0]]


@pytest.mark.parametrize(
    ("by", "weighed"), [(PLAIN, False), (PLAIN, True), (GeometricMean(), False), (GeometricMean(), True), (Median(), False)]
)
def test_together_as_alone(by: Aggregation, weighed: bool) -> None:
    values, included = made_up(3)
    weights = np.random.default_rng(5).random(30) if weighed else None
    together = batch(values, included, by, weights)
    statistics, numbers, intervals = compared(together), together.system_values(), together.system_intervals(0.95)
    for m in range(values.shape[1]):
        alone = batch(values[:, m : m + 1], included, by, weights)
        own = compared(alone)
        np.testing.assert_array_equal(numbers[m], alone.system_values()[0])
        np.testing.assert_array_equal([end[m] for end in intervals], [end[0] for end in alone.system_intervals(0.95)])
        for name in NUMBERS:
            np.testing.assert_array_equal(getattr(statistics, name)[m], getattr(own, name)[0])
        for test in TESTS:
            np.testing.assert_array_equal(statistics.p[str(test)][m], own.p[str(test)][0])


def test_a_metric_is_compared_on_the_users_that_both_systems_are_averaged_on() -> None:
    values, included = made_up(4)
    statistics = compared(batch(values, included))
    for m in range(values.shape[1]):
        kept = included & ~np.isnan(values[:, m])
        for n, (a, b) in enumerate(BATCHES_PAIRS):
            users = kept[a] & kept[b]
            assert statistics.users[m, n] == users.sum()
            assert statistics.value_a[m, n] == pytest.approx(values[a, m, users].mean(), rel=1e-14)


def test_without_a_level_there_are_neither_intervals_nor_figures() -> None:
    values, included = made_up(6)
    assert np.isnan(compared(batch(values, included), level=None).low).all()
    assert np.isfinite(compared(batch(values, included)).low).all()


def test_nobody_in_common() -> None:
    values = np.array([[[0.1, np.nan]], [[np.nan, 0.2]], [[0.3, 0.4]]])
    statistics = compared(batch(values, np.ones((3, 2), dtype=np.bool_)))
    assert statistics.users[0].tolist() == [0, 1, 1]
    assert not statistics.testable.any()
    assert np.isnan(statistics.value_a[0, 0])
    assert np.isnan(statistics.p["t"]).all()


def test_intervals_by_hand() -> None:
    """1, 2 and 3 have the mean 2 and the standard error 1 ÷ √3; t of two degrees is 4.303."""
    values = np.array([[[1.0, 2, 3], [0.5, 0.5, 0.5]], [[0.0, 0, 0], [0.0, 0, np.nan]]])
    low, high = batch(values, np.ones((2, 3), dtype=np.bool_)).system_intervals(0.95)
    assert low[0, 0] == pytest.approx(-0.484, abs=1e-3) and high[0, 0] == pytest.approx(4.484, abs=1e-3)
    assert low[1].tolist() == high[1].tolist() == [0.5, 0.0]  # where all users have the same value


def test_a_median_has_no_interval() -> None:
    values, included = made_up(3)
    assert all(np.isnan(end).all() for end in batch(values, included, Median()).system_intervals(0.95))
