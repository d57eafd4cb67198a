"""Two systems' values per user: aligned by user, then by the rules of a study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.refusals import refused

from heldout.analysis.paired_scores import PairedRules, compare_user_scores
from heldout.catalogue import make
from heldout.errors import InputError

RULES = PairedRules(
    tests=(make("test", "t"),),
    aggregation=make("aggregation", "mean"),
    undefined=make("undefined", "zero"),
    coverage=make("coverage", "zero"),
    level=0.05,
    seed=1,
)


def frame(users: list[object], values: list[float | None], **columns: list[float]) -> pl.DataFrame:
    return pl.DataFrame({"user_id": users, "RR": values, **columns})


def test_users_meet_by_id_whatever_their_order_and_type() -> None:
    """Differences of users 1, 2 and 3 are 0.1, 0.3 and 0.2; matched by place they would be others."""
    a, b = frame([1, 2, 3], [0.5, 0.9, 0.4]), frame(["3", "1", "2"], [0.2, 0.4, 0.6])
    (row,) = compare_user_scores(a, b, ["RR"], RULES).to_dicts()
    assert row["difference"] == pytest.approx(0.2) and row["effect"] == pytest.approx(2.0) and row["users"] == 3
    assert row["p"] == pytest.approx(stats.ttest_1samp([0.1, 0.3, 0.2], 0).pvalue)
    low, high = stats.t.interval(0.95, 2, 0.2, 0.1 / np.sqrt(3))
    assert (row["low"], row["high"]) == (pytest.approx(low), pytest.approx(high))


def test_the_level_is_that_of_the_interval() -> None:
    a, b = frame([1, 2, 3], [0.5, 0.9, 0.4]), frame([1, 2, 3], [0.4, 0.6, 0.2])
    wide, narrow = (compare_user_scores(a, b, ["RR"], replace(RULES, level=level)) for level in (0.01, 0.5))
    assert wide["low"][0] < narrow["low"][0] < narrow["high"][0] < wide["high"][0]


def test_null_is_undefined_and_a_length_of_zero_is_unserved() -> None:
    """User 1 is undefined in A; user 2 has no list in B."""
    a, b = frame([1, 2, 3], [None, 0.6, 0.9]), frame([1, 2, 3], [0.3, 0.0, 0.6], length=[5, 0, 5])

    def difference(**rules: str) -> tuple[float, int]:
        chosen = replace(RULES, **{kind: make(kind, text) for kind, text in rules.items()})
        (row,) = compare_user_scores(a, b, ["RR"], chosen).to_dicts()
        return row["difference"], row["users"]

    assert difference() == (pytest.approx((-0.3 + 0.6 + 0.3) / 3), 3)
    assert difference(undefined="skip") == (pytest.approx((0.6 + 0.3) / 2), 2)
    assert difference(coverage="intersection") == (pytest.approx((-0.3 + 0.3) / 2), 2)
    assert difference(undefined="skip", coverage="intersection") == (pytest.approx(0.3), 1)


def test_a_row_for_each_metric_and_test() -> None:
    a = frame([1, 2, 3, 4], [0.5, 0.9, 0.4, 0.6]).with_columns(P=pl.col("RR") / 2)
    b = a.with_columns(pl.col("RR", "P") - pl.Series([0.1, 0.2, 0.3, 0.1]))
    tests = (make("test", "t"), make("test", "sign"))
    rows = compare_user_scores(a, b, ["P", "RR"], replace(RULES, tests=tests))
    assert rows.select("metric", "test").rows() == [("P", "t"), ("P", "sign"), ("RR", "t"), ("RR", "sign")]
    assert rows["p"][3] == pytest.approx(0.125)  # four of four users: 2 · (1/2)⁴
    assert rows["difference"].to_list() == pytest.approx([0.175] * 4)


def test_users_of_one_system_alone_are_refused() -> None:
    a, b = frame([1, 2], [0.5, 0.9]), frame([1, 2, 3], [0.5, 0.9, 0.1])
    with refused(InputError, file="the second scores", column="user_id", found=3, hint="on the same test set"):
        compare_user_scores(a, b, ["RR"], RULES)
    with refused(InputError, file="the second scores", column="user_id", found=1, expected="one row for each user"):
        compare_user_scores(a, frame([1, 1], [0.5, 0.9]), ["RR"], RULES)
