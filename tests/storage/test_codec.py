"""Dataclasses as JSON and back."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from heldout.storage.codec import SPARSE, from_plain, to_plain


@dataclass(frozen=True)
class Inner:
    name: str
    value: float


@dataclass(frozen=True)
class Outer:
    kind: Literal["a", "b"]
    pair: tuple[int, float]
    rows: tuple[Inner, ...]
    maybe: Inner | None
    by_name: dict[str, float]
    free: dict[str, Any]
    on: bool


@dataclass(frozen=True)
class Grown:
    """A record that got a field after others were written."""

    name: str
    later: int = field(default=0, metadata=SPARSE)


WHOLE = Outer("a", (3, 0.1), (Inner("x", 1.5), Inner("y", -2.0)), None, {"p": 0.25}, {"any": [1, "two", None]}, on=True)


def test_what_is_written_is_read_back() -> None:
    assert from_plain(Outer, json.loads(json.dumps(to_plain(WHOLE), allow_nan=False))) == WHOLE


def test_no_number_is_null_and_comes_back_as_none_or_nan() -> None:
    """Null is None where that is allowed, else NaN: infinity is not told apart."""
    assert to_plain(Inner("x", math.inf)) == {"name": "x", "value": None}
    assert math.isnan(from_plain(Inner, {"name": "x", "value": None}).value)
    assert from_plain(Outer, {**to_plain(WHOLE), "maybe": None}).maybe is None


def test_figures_round_floats_and_nothing_else() -> None:
    assert to_plain((123456789, 123456789.0, 0.123456789), figures=7) == [123456789, 123456800.0, 0.1234568]


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"name": "x"}, KeyError),  # a field is missing
        ([1, 2], TypeError),
        ({"name": "x", "value": "no number"}, TypeError),
        ({"name": "x", "value": True}, TypeError),
        ({"name": "x", "value": 10**400}, TypeError),
        ({"name": 5, "value": 1.0}, TypeError),
    ],
)
def test_another_form_is_refused(record: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        from_plain(Inner, record)


def test_tuples_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError):
        from_plain(Outer, {**to_plain(WHOLE), "pair": [3]})


def test_a_sparse_field_is_written_only_where_it_says_something() -> None:
    assert to_plain(Grown("x")) == {"name": "x"} and from_plain(Grown, {"name": "x"}) == Grown("x")
    assert to_plain(Grown("x", 3)) == {"name": "x", "later": 3} and from_plain(Grown, to_plain(Grown("x", 3))).later == 3
