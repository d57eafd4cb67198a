"""Metrics compared together have the numbers that each has alone."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.aggregations import GeometricMean, Median
from heldout.aggregations.aggregation import Aggregation
from heldout.aggregations.mean import PLAIN
from heldout.catalogue import make
from heldout.significance.batches import PairStatistics, compare_batches
from heldout.significance.value_batch import ScaledValues, ValueBatch
from heldout.tables.arrays import Bool, Float64

PAIRS = [(0, 1), (0, 2), (1, 2)]
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
    return compare_batches([one], PAIRS, tests=TESTS, seed=1, level=level)[0]


def test_by_hand() -> None:
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
        for n, (a, b) in enumerate(PAIRS):
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
