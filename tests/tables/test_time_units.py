"""Units of times."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heldout import Log
from heldout.errors import InputError
from heldout.tables import Interactions, Split, Vocabulary, concat_logs
from heldout.tables.time_units import coarsest, converted, finest, time_series, times_of_series, whole_seconds


def log(*time: int, unit: str = "s") -> Log:
    ids = pl.Series(range(len(time)))
    return Log(user_id=ids, item_id=ids, value=np.ones(len(time)), time=np.array(time), time_unit=unit)  # type: ignore[arg-type]


def ratings(*time: int, unit: str) -> Interactions:
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
    with pytest.raises(InputError, match="a time of seconds does not fit 64 bits in nanoseconds"):
        converted(np.array([10**10]), "s", "ns", source="old.csv")


def test_columns_record_their_unit() -> None:
    assert time_series(np.array([5]), "s").dtype == pl.Int64
    for unit in ("ms", "us", "ns"):
        column = time_series(np.array([5]), unit)  # type: ignore[arg-type]
        assert column.dtype == pl.Datetime(unit)  # type: ignore[arg-type]
        time, found = times_of_series(column)
        assert (time.tolist(), found) == ([5], unit)


def test_files_of_different_units_are_joined_in_the_finest() -> None:
    joined = concat_logs([log(1, 2), log(1500, 2500, unit="ms"), log(3)], "many")
    assert joined.time is not None
    assert (joined.time.tolist(), joined.time_unit) == ([1000, 2000, 1500, 2500, 3000], "ms")
    merged = concat_logs([log(7), log(9)], "many")
    assert merged.time is not None and (merged.time.tolist(), merged.time_unit) == ([7, 9], "s")
    with pytest.raises(InputError, match=r"one\.csv: a time of seconds does not fit"):
        concat_logs([replace_source(log(5, unit="ns"), "fine.csv"), replace_source(log(10**10), "one.csv")], "many")


def replace_source(rows: Log, source: str) -> Log:
    return Log(**{**rows.columns(), "source": source})


def test_parts_of_a_split_share_the_finest_unit() -> None:
    split = Split(train=ratings(1, 2, unit="s"), test=ratings(1500, 2500, unit="ms")).in_one_unit()
    assert split.train.time is not None and split.train.time.tolist() == [1000, 2000]
    assert split.train.time_unit == split.test.time_unit == "ms"


def test_the_unit_is_part_of_the_digest_only_below_a_second() -> None:
    seconds, finer = ratings(1, 2, unit="s"), ratings(1, 2, unit="ms")
    assert seconds.digest == "a9ae6a4ea4d5ec4b5af21b1c7919988e90e9530de3b179d40d62c636bb4d738d"  # as before units
    assert finer.digest != seconds.digest
    assert finer.digest == finer.fresh_digest() == finer.copy().digest
    assert finer.compact().time_unit == finer.recode(finer.users, finer.items).time_unit == "ms"
    assert finer.select(np.array([1])).headline().endswith("1970-01-01")
    assert str(finer.to_polars()["time"][1]) == "1970-01-01 00:00:00.002000"
