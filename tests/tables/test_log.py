"""Rows as they were written: repeated pairs, several files, and units of time."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

from heldout import InputError
from heldout.tables import Interactions, Log, Skipped, Split, Vocabulary, concat_logs
from heldout.tables.time_units import coarsest, converted, finest, time_series, times_of_series, whole_seconds

ROWS = {
    "user_id": pl.Series(["u", "v", "u", "u"]),
    "item_id": pl.Series(["a", "a", "b", "a"]),
    "value": np.array([3.0, 5.0, 1.0, 2.0]),
}
TIMES = np.array([20, 5, 7, 10])


def log(**columns: Any) -> Log:
    return Log(**{**ROWS, **columns})


def test_repeated_pairs_are_an_error_that_names_the_first() -> None:
    with refused(InputError, found=["u", "a"], expected="each pair once", hint="duplicates(keep=latest)"):
        log().interactions()


@pytest.mark.parametrize(
    ("keep", "time", "value", "moment"),
    [
        ("latest", TIMES, 3.0, 20),
        ("latest", np.array([10, 5, 7, 10]), 2.0, 10),  # of equal times, the later row
        ("latest", None, 2.0, None),  # without times, the later row
        ("sum", TIMES, 5.0, 10),
        ("max", TIMES, 3.0, 10),
    ],
)
def test_what_is_kept_of_a_repeated_pair(keep: Any, time: Any, value: float, moment: int | None) -> None:
    """u rated a with 3 at time 20 and with 2 at time 10."""
    data = log(time=time).interactions(keep)
    assert len(data) == 3 and data.value.tolist() == [value, 1.0, 5.0]
    assert (None if data.time is None else data.time.tolist()) == (None if moment is None else [moment, 7, 5])


def test_a_merged_pair_carries_the_time_that_is_asked_for_and_knows_the_other() -> None:
    first, latest = (log(time=TIMES).interactions("latest", merged=end) for end in ("first", "latest"))
    assert first.time is not None and first.merged_time is not None
    assert (first.time.tolist(), first.merged_time.tolist()) == ([10, 7, 5], [20, 7, 5])
    assert latest.time is not None and latest.merged_time is not None
    assert (latest.time.tolist(), latest.merged_time.tolist()) == ([20, 7, 5], [10, 7, 5])


def test_rows_in_any_order_keep_their_own_times() -> None:
    """Nothing is repeated, so nothing is merged."""
    rows = log(user_id=pl.Series(["v", "u", "u", "t"]), time=TIMES)
    for keep in ("error", "latest"):
        data = rows.interactions(keep)  # type: ignore[arg-type]
        assert data.time is not None and data.time.tolist() == [10, 5, 7, 20] and data.merged_time is None


def test_sums_add_utilities_and_a_maximum_keeps_that_of_its_row() -> None:
    worth = np.array([0.1, 0.2, 0.4, 0.8])
    assert log(utility=worth).interactions("sum").utility == pytest.approx(np.array([0.9, 0.4, 0.2]))
    assert log(utility=worth).interactions("max").utility == pytest.approx(np.array([0.1, 0.4, 0.2]))


def test_ids_take_the_codes_of_the_vocabulary_that_is_named() -> None:
    users = Vocabulary.of(pl.Series(["t", "u", "v"]))
    data = log().interactions("max", users=users)
    assert data.users is users and data.user.tolist() == [1, 1, 2] and data.item.tolist() == [0, 1, 0]


def test_no_rows_are_refused() -> None:
    empty = Log(user_id=pl.Series([], dtype=pl.String), item_id=pl.Series([], dtype=pl.String), value=np.empty(0))
    with refused(InputError, found=0, expected="at least one rating"):
        empty.interactions()


def test_several_logs_are_one() -> None:
    numbered = Log(
        user_id=pl.Series([1]),
        item_id=pl.Series([2]),
        value=np.array([4.0]),
        skipped=(Skipped("no rating", 2),),
        columns_read="by name",
    )
    named = log(skipped=(Skipped("no rating", 1), Skipped("no user", 1)), columns_read="by name")
    both = concat_logs([numbered, named], "both")
    assert both.user_id.to_list() == ["1", "u", "v", "u", "u"] and both.value.tolist() == [4, 3, 5, 1, 2]
    assert both.skipped == (Skipped("no rating", 3), Skipped("no user", 1)) and both.columns_read == "by name"
    assert repr(both).splitlines()[0] == "5 rows of both, 4 bad rows left out"
    assert concat_logs([numbered, numbered], "x").user_id.dtype == pl.Int64
    assert concat_logs([named], "alone").source == "alone"


@pytest.mark.parametrize("column", ["time", "utility"])
def test_a_column_that_only_some_logs_have_is_refused(column: str) -> None:
    some = log(**{column: TIMES}, source="with")
    with refused(InputError, file="without", column=column):
        concat_logs([some, log(source="without")], "both")
    assert len(getattr(concat_logs([some, some], "both"), column)) == 8


def test_narrow_ids_give_the_same_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"user_id": pl.Series([5, 3, 5]), "item_id": pl.Series([2**40, 1, 1]), "value": np.array([1.0, 2.0, 3.0])}
    log = Log(**columns)
    assert concat_logs([log], "few rows").user_id.dtype == pl.Int64
    monkeypatch.setattr("heldout.tables.growing.MANY", 5)
    narrow = concat_logs([log, Log(**{**columns, "item_id": pl.Series([7, 2, 9])})], "two files")
    assert (narrow.user_id.dtype, narrow.item_id.dtype) == (pl.Int32, pl.Int64)  # 2⁴⁰ needs more
    assert narrow.user_id.to_list() == [5, 3, 5, 5, 3, 5] and narrow.item_id.to_list() == [2**40, 1, 1, 7, 2, 9]
    monkeypatch.setattr("heldout.tables.growing.MANY", 1)
    narrow = concat_logs([log], "one file")
    assert (narrow.user_id.dtype, narrow.item_id.dtype) == (pl.Int32, pl.Int64)
    assert narrow.interactions().digest == log.interactions().digest
    together = concat_logs([log, Log(**{**columns, "user_id": pl.Series([2**33, 1, 2])})], "two files")
    assert together.user_id.to_list() == [5, 3, 5, 2**33, 1, 2] and together.user_id.dtype == pl.Int64
    texts = Log(**{**columns, "user_id": pl.Series(["a", "3", "5"])})
    assert concat_logs([log, texts], "two files").user_id.to_list() == ["5", "3", "5", "a", "3", "5"]


def test_many_logs_grow_in_place_and_none_is_changed() -> None:
    logs = [
        Log(user_id=pl.Series([k, k]), item_id=pl.Series([1, 2]), value=np.array([k, k + 0.5]), time=np.array([k, 10 * k]))
        for k in range(5)
    ]
    together = concat_logs(iter(logs), "five files")
    assert together.value.tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]
    assert together.time is not None and together.time.tolist() == [0, 0, 1, 10, 2, 20, 3, 30, 4, 40]
    assert [log.value.tolist() for log in logs] == [[k, k + 0.5] for k in range(5)]


def timed(*time: int, unit: str = "s") -> Log:
    ids = pl.Series(range(len(time)))
    return Log(user_id=ids, item_id=ids, value=np.ones(len(time)), time=np.array(time), time_unit=unit)  # type: ignore[arg-type]


def timed_ratings(*time: int, unit: str) -> Interactions:
    codes, ids = np.arange(len(time)), Vocabulary.numbered(len(time))
    value = np.ones(len(time))
    return Interactions.build(ids, ids, codes, codes, value, time=np.array(time), time_unit=unit)  # type: ignore[arg-type]


def test_the_coarsest_unit_loses_nothing() -> None:
    for time, unit, wanted, coarse in (
        ([5, 6], "s", [5, 6], "s"),
        ([1000, 2000], "ms", [1, 2], "s"),
        ([1000, 2500], "ms", [1000, 2500], "ms"),
        ([1_000_000, 2_500_000], "ns", [1000, 2500], "us"),
        ([-1_000_000_000], "ns", [-1], "s"),
        ([], "us", [], "s"),
    ):
        found, found_unit = coarsest(np.array(time, dtype=np.int64), unit)  # type: ignore[arg-type]
        assert (found.tolist(), found_unit) == (wanted, coarse)
    assert finest(["s", "us", "ms"]) == "us"
    assert finest([]) == "s"


def test_conversion_is_exact_or_refused() -> None:
    assert converted(np.array([-3, 4]), "s", "us").tolist() == [-3_000_000, 4_000_000]
    assert whole_seconds(np.array([-1, 1999]), "ms").tolist() == [-1, 1]
    for time in (10**10, -(10**10)):
        with refused(InputError, file="old.csv", found=time, hint="the same unit"):
            converted(np.array([5, time, -5]), "s", "ns", source="old.csv")


def test_columns_record_their_unit() -> None:
    assert time_series(np.array([5]), "s").dtype == pl.Int64
    for unit in ("ms", "us", "ns"):
        column = time_series(np.array([5]), unit)  # type: ignore[arg-type]
        assert column.dtype == pl.Datetime(unit)  # type: ignore[arg-type]
        time, found = times_of_series(column)
        assert (time.tolist(), found) == ([5], unit)


def test_files_of_different_units_are_joined_in_the_finest() -> None:
    joined = concat_logs([timed(1, 2), timed(1500, 2500, unit="ms"), timed(3)], "many")
    assert joined.time is not None
    assert (joined.time.tolist(), joined.time_unit) == ([1000, 2000, 1500, 2500, 3000], "ms")
    merged = concat_logs([timed(7), timed(9)], "many")
    assert merged.time is not None and (merged.time.tolist(), merged.time_unit) == ([7, 9], "s")
    with refused(InputError, file="one.csv", found=10**10):
        concat_logs([replace_source(timed(5, unit="ns"), "fine.csv"), replace_source(timed(10**10), "one.csv")], "many")


def replace_source(rows: Log, source: str) -> Log:
    return Log(**{**rows.columns(), "source": source})


def test_parts_of_a_split_share_the_finest_unit() -> None:
    split = Split(train=timed_ratings(1, 2, unit="s"), test=timed_ratings(1500, 2500, unit="ms")).in_one_unit()
    assert split.train.time is not None and split.train.time.tolist() == [1000, 2000]
    assert split.train.time_unit == split.test.time_unit == "ms"


def test_the_unit_is_part_of_the_digest_only_below_a_second() -> None:
    seconds, finer = timed_ratings(1, 2, unit="s"), timed_ratings(1, 2, unit="ms")
    assert seconds.digest == "a9ae6a4ea4d5ec4b5af21b1c7919988e90e9530de3b179d40d62c636bb4d738d"  # as before units
    assert finer.digest != seconds.digest
    assert finer.digest == finer.fresh_digest() == finer.copy().digest
    assert finer.compact().time_unit == finer.recode(finer.users, finer.items).time_unit == "ms"
    assert repr(finer.select(np.array([1]))).splitlines()[0].endswith("1970-01-01")
    assert str(finer.to_polars()["time"][1]) == "1970-01-01 00:00:00.002000"
