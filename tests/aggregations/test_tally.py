"""From values of users to one number: coverage, undefined values, weights and moments."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.refusals import refused

import heldout as ho
from heldout.aggregations import GeometricMean, Mean, Median
from heldout.aggregations.coverage import Forgive, Intersection, UncoveredAsZero
from heldout.aggregations.coverage_rule import CoverageRule
from heldout.aggregations.moments import effective_size, merge, moments
from heldout.aggregations.tally import Tally, arrange, tally_of
from heldout.aggregations.undefined import SkipUndefined, UndefinedAsZero
from heldout.aggregations.undefined_rule import UndefinedRule
from heldout.catalogue import make
from heldout.errors import UNKNOWN, InputError, NotApplicableError, SpecError, UnknownNameError
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
    with refused(InputError, found=["2 × 5", "1 × 5"], expected="values and lengths of systems × users"):
        tally(VALUES, LENGTHS[:1], undefined=SkipUndefined(), coverage=Forgive(), aggregation=Mean())


COVERAGE_LENGTHS = [np.array([10.0, 10, 0, 0]), np.array([0.0, 3, 3, 0])]


def test_coverage_rules() -> None:
    assert [m.tolist() for m in UncoveredAsZero().included(COVERAGE_LENGTHS)] == [[True] * 4] * 2
    assert [m.tolist() for m in Forgive().included(COVERAGE_LENGTHS)] == [
        [True, True, False, False],
        [False, True, True, False],
    ]
    assert [m.tolist() for m in Intersection().included(COVERAGE_LENGTHS)] == [[False, True, False, False]] * 2


def test_systems_must_be_aligned() -> None:
    with refused(InputError, found=[2, 3], hint="align the users"):
        Forgive().included([np.ones(3), np.ones(2)])


def test_the_same_word_names_two_kinds() -> None:
    assert isinstance(make("undefined", "zero"), UndefinedAsZero)
    assert isinstance(make("coverage", "zero"), UncoveredAsZero)


def test_undefined_rules() -> None:
    values = np.array([0.5, math.nan, 1.0])
    assert UndefinedAsZero().apply(values).tolist() == [0.5, 0.0, 1.0]
    np.testing.assert_array_equal(SkipUndefined().apply(values), values)
    assert math.isnan(values[1])  # the input is not changed


def random_scores(users: int = 2000, items: int = 12) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A test set in which a quarter of the users has no relevant rating, and a run with random scores."""
    rng = np.random.default_rng(3)
    user, item = np.divmod(np.arange(users * items), items)
    ratings = np.where((user % 4 > 0) & (rng.random(users * items) < 0.3), 5.0, 1.0)
    frame = pl.DataFrame({"user": user, "item": item})
    return frame.with_columns(rating=ratings), frame.with_columns(score=rng.random(users * items))


@pytest.mark.parametrize("metric", ["AUC", "UROC"])
def test_a_random_ranking_has_half_the_area(metric: str) -> None:
    test, run = random_scores()
    values = ho.measure(test, run, metric, relevance="threshold(4)")[metric]
    assert values.null_count() >= 500
    undefined: Any
    for undefined in ("zero", "skip"):
        [row] = ho.evaluate(test, {"A": run}, metric, relevance="threshold(4)", undefined=undefined).findings.leaderboard
        assert row.value == pytest.approx(values.mean(), abs=1e-12) and abs(row.value - 0.5) < 0.02
        assert (row.users, row.undefined) == (2000 - values.null_count(), values.null_count())
    counted = ho.evaluate(test, {"A": run}, f"{metric}(if_undefined=zero)", relevance="threshold(4)").findings.leaderboard[0]
    assert counted.value == pytest.approx(values.fill_null(0.0).mean(), abs=1e-12)
    assert counted.users == 2000


def test_settings_and_methods_say_who_was_left_out() -> None:
    test, run = random_scores(80)
    results = ho.evaluate(test, {"A": run}, ["AUC", "Recall@5"], relevance="threshold(4)")
    assert {str(s.metric): s.undefined for s in results.findings.settings} == {"AUC": "skip", "Recall@5": "zero"}
    assert ", except in AUC, where they were left out." in ho.methods(results).to_markdown()


def test_two_systems_are_compared_on_users_with_a_value() -> None:
    a = pl.DataFrame({"user_id": [1, 2, 3, 4], "AUC": [0.9, 0.7, 0.8, None], "RMSE": [1.0, 2.0, 3.0, None]})
    b = pl.DataFrame({"user_id": [1, 2, 3, 4], "AUC": [0.5, 0.5, 0.5, None], "RMSE": [2.0, 2.0, 2.0, None]})
    rows = ho.compare_users(a.with_columns(own=pl.col("AUC")), b.with_columns(own=pl.col("AUC")), "t")
    difference = dict(zip(rows["metric"], rows["difference"], strict=True))
    assert difference == pytest.approx({"AUC": 0.3, "RMSE": 0.0, "own": 0.9 / 4})


RULES = {"undefined": UndefinedAsZero(), "coverage": UncoveredAsZero()}


def values_of(aggregation: object, x: np.ndarray, **more: object) -> list[float | None]:
    lengths = np.ones(x.shape)
    found = arrange(x, lengths, aggregation=aggregation, **{**RULES, **more})
    return [t.value for t in tally_of(found, x, lengths)]


def test_bad_weights_say_what_is_wrong() -> None:
    x = np.ones((1, 2))
    with refused(InputError, found=-1.0, expected="a number of at least 0"):
        values_of(Mean("test"), x, counts={"test": np.array([1.0, -1])})
    with refused(NotApplicableError, where="mean(weight=test)", found=UNKNOWN):
        values_of(Mean("test"), x, counts={"test": np.zeros(2)})
    with refused(InputError, column="train", expected="a weight for every tested user"):
        values_of(Mean("train"), x, counts={"train": np.array([1.0, np.nan])})
    with refused(UnknownNameError, hint="none is known"):
        values_of(Mean("test"), x)
    with refused(NotApplicableError, where="mean(weight=test)", hint="use mean, or average by user"):
        values_of(Mean("test"), x, counts={"test": np.ones(2)}, weights=np.ones(2))
    with refused(SpecError, where="mean: 'weight'", found="income", expected="one of test, relevant, train"):
        Mean("income")
    with refused(SpecError, where="mean: 'table'", found="users.csv"):
        Mean("test", "users.csv")
    with refused(NotApplicableError, where="mean(weight=test)", hint="prepare the values of all systems first"):
        Mean("test").aggregate(x.T)


def test_by_hand() -> None:
    found = moments(np.array([[1.0, 2.0, 3.0]]))
    assert (found.mean[0], found.deviation[0], found.size, found.degrees) == (2.0, pytest.approx(1.0), 3.0, 2.0)


def test_interval_agrees_with_scipy() -> None:
    x = np.random.default_rng(0).normal(size=(3, 25))
    low, high = moments(x).interval(0.9)
    for k in range(3):
        expected = stats.ttest_1samp(x[k], 0.0).confidence_interval(0.9)
        assert (low[k], high[k]) == pytest.approx((expected.low, expected.high), rel=1e-12)


def test_equal_weights_are_no_weights_and_whole_weights_scale_freely() -> None:
    x, w = np.random.default_rng(1).normal(size=(2, 9)), np.arange(1.0, 10.0)
    plain, equal = moments(x), moments(x, np.full(9, 3.0))
    np.testing.assert_allclose(equal.deviation, plain.deviation, rtol=1e-13)
    assert equal.size == pytest.approx(9)
    one, two = moments(x, w), moments(x, 7 * w)
    np.testing.assert_allclose(one.error, two.error, rtol=1e-13)
    assert effective_size(w) == pytest.approx(45**2 / 285)  # Σ1…9 = 45, Σ1²…9² = 285


@pytest.mark.parametrize("rows,weights", [(np.ones((1, 1)), None), (np.ones((1, 3)), np.array([0.0, 2.0, 0.0]))])
def test_one_user_tells_no_spread(rows: np.ndarray, weights: np.ndarray | None) -> None:
    found = moments(rows, weights)
    assert found.mean[0] == 1.0
    assert np.isnan(found.interval(0.95)).all()


def test_nobody_gives_nan() -> None:
    assert np.isnan(moments(np.empty((2, 0))).mean).all()
    assert np.isnan(moments(np.ones((1, 2)), np.zeros(2)).mean).all()


def test_two_blocks_by_hand() -> None:
    # Users 1 and 3, and 5: means 2 and 5, variances 1 and 0; together mean 3, variance 8/3.
    together = merge([moments(np.array([1.0, 3.0])), moments(np.array([5.0]))])
    assert (float(together.size), float(together.mean), float(together.variance)) == (3, 3, pytest.approx(8 / 3, rel=1e-15))
    assert float(together.deviation) == pytest.approx(2.0, rel=1e-15)  # √(8 / 2)


@pytest.mark.parametrize("weighted", [False, True])
def test_blocks_give_the_moments_of_all_users(weighted: bool) -> None:
    draw = np.random.default_rng(2)
    values = 1000 + draw.random(5000) * 1e-3  # a large mean beside a small spread
    weights = draw.random(5000) if weighted else None
    cuts = [0, *np.sort(draw.integers(0, 5001, 15)), 5000]
    blocks = [slice(a, b) for a, b in pairwise(cuts)]
    merged = merge([moments(values[rows], None if weights is None else weights[rows]) for rows in blocks])
    whole = moments(values, weights)
    assert float(merged.mean) == pytest.approx(float(whole.mean), rel=1e-14)
    assert float(merged.deviation) == pytest.approx(float(whole.deviation), rel=1e-9)
    assert float(merged.size) == pytest.approx(float(whole.size), rel=1e-12)


def test_blocks_of_equal_values_have_no_spread() -> None:
    merged = merge([moments(np.full(n, 0.1)) for n in (8, 8, 8)])
    assert (float(merged.mean), float(merged.variance)) == (0.1, 0.0)


def test_a_block_without_weight_changes_nothing() -> None:
    own, nobody = moments(np.array([1.0, 4.0])), moments(np.zeros(0))
    for blocks in ([own, nobody], [nobody, own], [nobody, nobody, own]):
        merged = merge(blocks)
        assert [float(getattr(merged, name)) for name in ("mean", "variance", "size")] == [2.5, 2.25, 2.0]
    assert np.isnan(nobody.mean) and float(nobody.size) == 0
