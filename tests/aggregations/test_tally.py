"""Tallies by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from heldout.aggregations import GeometricMean, Mean, Median
from heldout.aggregations.coverage.forgive import Forgive
from heldout.aggregations.coverage.intersection import Intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.tally import Tally, arrange, tally_of
from heldout.aggregations.undefined.skip import SkipUndefined
from heldout.aggregations.undefined.zero import UndefinedAsZero
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.errors import InputError
from heldout.tables.arrays import Float64

NAN = math.nan
# Two systems, five users. User 4 has nothing relevant: undefined for both. B does not cover users 0 and 4.
VALUES = np.array([[0.2, 0.4, 0.6, 0.8, NAN], [0.0, 0.5, 0.5, 1.0, NAN]])
LENGTHS = np.array([[9.0, 9, 9, 9, 9], [0.0, 9, 9, 9, 0]])


def tally(
    values: Float64, lengths: Float64, *, computed: Float64 | None = None, level: float = 0.95, **rules: Any
) -> list[Tally]:
    """One metric of several systems, arranged and made one number for each."""
    return tally_of(arrange(values, lengths, **rules), values, lengths, computed=computed, level=level)


@pytest.mark.parametrize(
    ("undefined", "coverage", "values", "users", "counts"),
    [
        (UndefinedAsZero(), UncoveredAsZero(), [2.0 / 5, 2.0 / 5], [5, 5], [1, 1]),
        (SkipUndefined(), UncoveredAsZero(), [2.0 / 4, 2.0 / 4], [4, 4], [1, 1]),
        (UndefinedAsZero(), Forgive(), [2.0 / 5, 2.0 / 3], [5, 3], [1, 0]),
        (SkipUndefined(), Forgive(), [2.0 / 4, 2.0 / 3], [4, 3], [1, 0]),
        (UndefinedAsZero(), Intersection(), [1.8 / 3, 2.0 / 3], [3, 3], [0, 0]),
    ],
)
def test_rules_by_hand(
    undefined: UndefinedRule, coverage: CoverageRule, values: list[float], users: list[int], counts: list[int]
) -> None:
    found = tally(VALUES, LENGTHS, undefined=undefined, coverage=coverage, aggregation=Mean())
    assert [t.value for t in found] == pytest.approx(values)
    assert [t.users for t in found] == users
    assert [t.undefined for t in found] == counts
    assert [t.user_coverage for t in found] == [1.0, 0.6]


def test_full_average_is_coverage_times_forgiven() -> None:
    rules = {"undefined": UndefinedAsZero(), "aggregation": Mean()}
    full = tally(VALUES, LENGTHS, coverage=UncoveredAsZero(), **rules)[1]
    forgiven = tally(VALUES, LENGTHS, coverage=Forgive(), **rules)[1]
    assert full.value == pytest.approx(full.user_coverage * forgiven.value)


def test_coverage_is_counted_before_fallback_with_the_value_after_it_beside_it() -> None:
    rules = {"undefined": UndefinedAsZero(), "aggregation": Mean(), "coverage": Forgive()}
    filled = tally(VALUES, np.full((2, 5), 9.0), computed=LENGTHS, **rules)[1]
    assert (filled.user_coverage, filled.user_coverage_ranked, filled.users) == (0.6, 1.0, 5)


def test_intervals() -> None:
    x = np.random.default_rng(5).random((1, 30))
    rules = {"undefined": SkipUndefined(), "coverage": UncoveredAsZero()}
    mean = tally(x, np.ones((1, 30)), aggregation=Mean(), **rules)[0]
    assert (mean.low, mean.high) == pytest.approx(tuple(stats.ttest_1samp(x[0], 0).confidence_interval(0.95)))
    gmean = tally(x, np.ones((1, 30)), aggregation=GeometricMean(), **rules)[0]
    on_logs = stats.ttest_1samp(np.log(x[0] + 0.01), 0).confidence_interval(0.95)
    assert (gmean.low, gmean.high) == pytest.approx((np.exp(on_logs.low) - 0.01, np.exp(on_logs.high) - 0.01))
    assert gmean.low < gmean.value < gmean.high
    median = tally(x, np.ones((1, 30)), aggregation=Median(), **rules)[0]
    assert (median.low, median.high) == (None, None)


def test_weights_follow_the_users_kept() -> None:
    # users 1, 2, 3 of B with weights 2, 3, 4: (1.0 + 1.5 + 4.0)/9
    found = tally(
        VALUES,
        LENGTHS,
        undefined=SkipUndefined(),
        coverage=Forgive(),
        aggregation=Mean(),
        weights=np.array([1.0, 2, 3, 4, 5]),
    )[1]
    assert found.value == pytest.approx(6.5 / 9)


def test_a_system_that_covers_nobody_has_no_value() -> None:
    found = tally(VALUES[:1], np.zeros((1, 5)), undefined=UndefinedAsZero(), coverage=Forgive(), aggregation=Mean())[0]
    assert (found.value, found.low, found.users, found.user_coverage) == (None, None, 0, 0.0)


def test_shapes_must_match() -> None:
    with pytest.raises(InputError, match="2 × 5 and lengths 1 × 5"):
        tally(VALUES, LENGTHS[:1], undefined=SkipUndefined(), coverage=Forgive(), aggregation=Mean())
