"""Tables in memory: refused by a sentence, or read as their own values say."""

from __future__ import annotations

import datetime
import decimal
import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.kit import Refused, examples, outcome

import heldout as ho

N = 5
TEXTS = [None, "", " ", "a", "\ud800", "\x00", b"x"]
NUMBERS = [0, 1, -1, 2**70, 1.5, math.nan, math.inf, True, np.float32(2), decimal.Decimal("1.1")]
TIMES = [datetime.date(2004, 2, 29), datetime.datetime(1, 1, 1), datetime.time(1), np.datetime64("NaT")]
odd = st.sampled_from([*TEXTS, *NUMBERS, *TIMES, (1,), [1], {"a": 1}])
columns = st.one_of(
    st.lists(st.integers(0, 9), min_size=N, max_size=N),
    st.lists(st.sampled_from(["a", "b", "007", "1", "u,1", "\u202ex", "[red]"]), min_size=N, max_size=N),
    st.lists(st.floats(), min_size=N, max_size=N),
    st.lists(odd, min_size=N, max_size=N),
    st.lists(odd, min_size=0, max_size=N + 2),
)
tables = st.fixed_dictionaries({"user": columns, "item": columns}, optional={"rating": columns, "timestamp": columns})


def polars_of(table: dict[str, list[Any]]) -> Any:
    return pl.DataFrame(table, strict=False)


def pandas_of(table: dict[str, list[Any]]) -> Any:
    return pd.DataFrame(table)


def arrays_of(table: dict[str, list[Any]]) -> Any:
    return {name: np.array(column) for name, column in table.items()}


def categories_of(table: dict[str, list[Any]]) -> Any:
    return pd.DataFrame({name: pd.Categorical(column) for name, column in table.items()})


MAKERS = {"dict": dict, "polars": polars_of, "pandas": pandas_of, "arrays": arrays_of, "categories": categories_of}


def expected(value: Any) -> str:
    """An id as text: a whole number by its digits."""
    return str(int(value)) if isinstance(value, float | np.floating) and float(value).is_integer() else str(value)


@pytest.mark.parametrize("maker", MAKERS)
def test_a_tame_table_is_read(maker: str) -> None:
    table = {"user": ["a", "a", "b"], "item": [1, 2, 1], "rating": [1.0, 2.0, 3.0]}
    log = ho.read_log(MAKERS[maker](table))
    assert log.user_id.to_list() == ["a", "a", "b"]
    assert [int(i) for i in log.item_id] == [1, 2, 1]
    assert log.value.tolist() == [1.0, 2.0, 3.0]


@examples(250)
@given(st.sampled_from(sorted(MAKERS)), tables)
def test_frames_are_read_as_they_are_or_refused(maker: str, table: dict[str, list[Any]]) -> None:
    try:
        frame = MAKERS[maker](table)
    except Exception:
        return  # no such frame can be made
    kept = {name: list(column) for name, column in table.items()}
    log = outcome(f"frames ({maker})", lambda: ho.read_log(frame))
    assert repr({name: list(column) for name, column in table.items()}) == repr(kept), "the table was changed"
    if isinstance(log, Refused):
        return
    assert np.isfinite(log.value).all()
    assert len(log) == len(table["user"])
    if maker == "dict":
        assert [str(u) for u in log.user_id] == [expected(u) for u in table["user"]]
        assert [str(i) for i in log.item_id] == [expected(i) for i in table["item"]]
        if "rating" in table:
            assert log.value.tolist() == [float(v) for v in table["rating"]]


@examples(80)
@given(tables)
def test_runs_and_judgements_in_memory(table: dict[str, list[Any]]) -> None:
    test = {"user": ["a", "a", "b"], "item": ["1", "2", "1"], "rating": [1.0, 5.0, 4.0]}
    run = {"user": table["user"], "item": table["item"], "score": table.get("rating", [1.0] * N)}
    outcome("runs in memory", lambda: ho.evaluate(test, {"A": run}, ["P@2"]))
    outcome("judgements in memory", lambda: ho.evaluate(table, {"A": {**test, "score": test["rating"]}}, ["P@2"]))
