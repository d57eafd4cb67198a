"""The profile of a data set."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from heldout import read
from heldout.data.profile import gini, profile, profile_as_read
from heldout.data.read import read_log
from heldout.tables.log import coded_rows


def test_by_hand() -> None:
    data = read({"user": [1, 1, 1, 2], "item": [1, 2, 3, 1], "value": [5, 4, 3, 2], "time": [10, 20, 30, 40]})
    found = profile(data)
    assert (found.users, found.items, found.ratings) == (2, 3, 4)
    assert found.density == pytest.approx(4 / 6)
    assert found.per_user == type(found.per_user)(1, 2.0, 2.0, 3)
    assert found.per_item == type(found.per_item)(1, 1.0, 4 / 3, 2)
    # counts 1, 1, 2: 2 (1·1 + 2·1 + 3·2) / (3·4) − 4/3 = 18/12 − 16/12
    assert found.gini == pytest.approx(2 / 12)
    assert (found.positive, found.positive_share) == (4.0, 0.5)
    assert (found.values.edges, found.values.counts) == ((2.0, 3.0, 4.0, 5.0), (1, 1, 1, 1))
    assert found.time_span == (10, 40)
    assert found.popularity.x == pytest.approx((0, 1 / 3, 2 / 3, 1))
    assert found.popularity.y == pytest.approx((0, 2 / 4, 3 / 4, 1))
    # item 1 has ratings 5 and 2, item 2 a 4, item 3 a 3
    assert found.positive_by_popularity is not None
    assert found.positive_by_popularity.y == pytest.approx((0.5, 1, 0))
    assert sum(found.ratings_per_user.counts) == 2 and sum(found.ratings_per_item.counts) == 3
    assert found.activity is not None and sum(found.activity.counts) == 4
    json.dumps(found.to_dict(), allow_nan=False)


def test_values_near_the_largest_number() -> None:
    data = read({"user": [1, 1], "item": [1, 2], "value": [1.0, 1.6e308]})
    curve = profile(data).popularity_by_rating
    assert curve is not None
    assert np.isfinite(curve.x).all()


def test_gini_of_equal_and_of_unequal_counts() -> None:
    assert gini(np.array([3, 3, 3])) == pytest.approx(0)
    assert gini(np.array([3, 1])) == pytest.approx(0.25)
    assert gini(np.array([], dtype=np.int64)) == 0


def test_users_and_items_without_ratings_do_not_count() -> None:
    data = read({"user": [1, 2, 2], "item": [1, 1, 2], "value": [1, 1, 1]})
    found = profile(data.select(np.array([True, False, False])))
    assert (found.users, found.items, found.density) == (1, 1, 1.0)


def test_other_scales_have_no_threshold_unless_given() -> None:
    data = read({"user": [1, 2], "item": [1, 1], "value": [10, 7]})
    assert profile(data).positive_share is None and profile(data).positive_by_popularity is None
    assert profile(data, positive=8).positive_share == 0.5
    assert profile(data).time_span is None and profile(data).activity is None


def test_curves_and_bins_stay_small() -> None:
    n = 5000
    rng = np.random.default_rng(1)
    data = read({"user": np.arange(n), "item": np.arange(n) % 700, "value": rng.random(n), "time": np.arange(n)})
    found = profile(data, positive=0.5)
    assert len(found.popularity.x) <= 100
    assert found.positive_by_popularity is not None and len(found.positive_by_popularity.x) == 20
    assert len(found.values.counts) == 20 and sum(found.values.counts) == n
    assert found.activity is not None and len(found.activity.counts) == 50


def test_movielens_1m(real_data: Callable[[str], Path]) -> None:
    found = profile(read(real_data("ml-1m/ratings.dat")))
    assert (found.users, found.items, found.ratings) == (6040, 3706, 1_000_209)
    assert round(100 * found.density, 3) == 4.468
    assert round(found.gini, 3) == 0.634
    assert found.positive_share == pytest.approx((348_971 + 226_310) / 1_000_209)


def test_rows_are_profiled_before_repeated_pairs_are_made_one() -> None:
    """(a, x) has two rows: 3 ratings of 2 users and 2 items, of which 2 of 4 pairs have one."""
    log = read_log({"user": ["a", "a", "b"], "item": ["x", "x", "y"], "rating": [1.0, 2.0, 5.0], "time": [1, 2, 3]})
    rows = coded_rows(log.columns(), "made up")
    assert rows.repeats == 1
    found = profile_as_read(rows)
    assert (found.users, found.items, found.ratings, found.density) == (2, 2, 3, 0.5)
    assert (found.per_user.max, found.per_item.max, found.time_span) == (2, 2, (1, 3))
    assert rows.copy().merged("sum").value.tolist() == [3.0, 5.0] and rows.merged("max").value.tolist() == [2.0, 5.0]


def test_rows_without_repeats_have_the_profile_of_their_ratings() -> None:
    table = {"user": ["b", "a", "a"], "item": ["x", "y", "x"], "rating": [3.5, 2.0, 5.0], "time": [1, 2, 3]}
    rows = coded_rows(read_log(table).columns(), "made up")
    assert rows.repeats == 0 and profile_as_read(rows) == profile(read(table))


def test_counts_such_as_plays_have_logarithmic_bins() -> None:
    """Powers of 2 are 22 values from 1 to 2²¹; halves of them, or numbers up to 100, are not counts of this kind."""

    def edges(values: list[float]) -> tuple[float, ...]:
        n = len(values)
        return profile(read({"user": list(range(n)), "item": [1] * n, "rating": values})).values.edges

    plays = edges([2.0**k for k in range(22)])
    assert plays[:5] == (1, 2, 3, 4, 6) and plays[-2] <= 2**21 and plays[-1] == 2**21 + 1
    assert edges([5.0 * 2**k for k in range(22)])[:3] == (5, 6, 8)
    for values in ([2.0**k / 2 for k in range(22)], [float(k) for k in range(1, 101)]):
        equal = edges(values)
        assert len(equal) == 21 and equal[1] - equal[0] == pytest.approx(equal[-1] - equal[-2])
