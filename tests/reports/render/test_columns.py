"""Column types: what people read, what programs read, and what a pointer shows."""

from __future__ import annotations

import math
from types import SimpleNamespace

import polars as pl
import pytest

from heldout.reports.columns import Column, Field, columns_of_frame
from heldout.reports.document import Table, Text, code

NONE = "–"


def column(kind: str, **options: object) -> Column:
    return Column(name="x", kind=kind, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("made", "value", "text"),
    [
        (column("value"), 0.12345, "0.1235"),
        (column("value", digits=2), -0.126, "−0.13"),
        (column("value", digits=3, signed=True), 0.0354, "+0.035"),
        (column("value", digits=4, signed=True), 0.00000123, "+0.0000012"),
        (column("value", digits=[None, 3]), 1234.56, "1235"),
        (column("interval", digits=3), (0.2291, 0.2504), "0.229–0.250"),
        (column("interval", digits=3), (-0.047, -0.031), "−0.047 to −0.031"),
        (column("interval", digits=2, signed=True), (0.01, 0.3), "+0.01 to +0.30"),
        (column("p"), 0.0391, "0.039"),
        (column("p"), 1e-320, "< 0.001"),
        (column("p"), 0.0499999, "0.0499999"),
        (column("share"), 0.9731, "97.3%"),
        (column("share"), 0.00001, "< 0.1%"),
        (column("count"), 1946, "1,946"),
        (column("seconds"), 200.0, "3 min 20 s"),
        (column("bytes"), 1.3e9, "1.3 GB"),
        (column("system", names={"UserKNN(k=5)": "UserKNN"}), "UserKNN(k=5)", "UserKNN"),
        (column("system"), "EASE", "EASE"),
        (column("text"), Text("use ", code("t")), "use t"),
        (column("plain"), 1234.5678, "1235"),
    ],
)
def test_values_as_people_read_them(made: Column, value: object, text: str) -> None:
    assert made.text(value, 0) == text


@pytest.mark.parametrize("kind", ["value", "interval", "p", "share", "count", "seconds", "bytes", "system", "text", "plain"])
def test_what_is_absent_is_a_dash(kind: str) -> None:
    assert column(kind).text(None, 0) == NONE and column(kind).raw(None) == [None] * len(column(kind).parts())
    assert column(kind).hover(None) == ""


def test_nan_is_absent() -> None:
    assert column("value").text(math.nan, 0) == NONE


def test_decimals_of_each_row() -> None:
    made = column("value", digits=[1, 3])
    assert [made.text(0.25, row) for row in (0, 1)] == ["0.2", "0.250"]


def test_an_interval_is_two_columns_of_a_frame() -> None:
    made = Column(name="P@5 interval", kind="interval")
    assert made.parts() == ["P@5 interval low", "P@5 interval high"] and made.raw((0.1, 0.2)) == [0.1, 0.2]


def test_a_pointer_shows_the_exact_number() -> None:
    assert column("p").hover(1.2345678e-7) == "1.235e-07" and column("p").hover(0.0) == "< 1e-300"
    assert column("value").hover(0.1234567) == "0.1235" and column("interval").hover((0.1, 0.25)) == "0.1 to 0.25"
    names = column("system", names={"UserKNN(k=5)": "UserKNN"})
    assert names.hover("UserKNN(k=5)") == "UserKNN(k=5)" and names.hover("EASE") == ""


def test_heads_within_a_sentence() -> None:
    assert Column(name="Users averaged", kind="count").said == "users averaged"
    assert Column(name="ρ@10", kind="value").said == "ρ@10"
    assert Column(name="P@5", kind="value").said == "P@5"
    assert Column(name="x", kind="value", head="Mean", group="nDCG@10").said == "nDCG@10 Mean"
    assert Column(name="x", kind="value").title == "x" and Column(name="x", kind="value", head="Mean").title == "Mean"


def test_kinds_that_fold() -> None:
    assert all(column(kind).folds for kind in ("p", "share", "count", "seconds", "bytes", "text"))
    assert not any(column(kind).folds for kind in ("value", "interval", "system", "letters", "plain"))


def test_values_are_alike_if_equal_and_p_values_if_they_read_the_same() -> None:
    assert column("p").alike(1e-5, 2e-7) and not column("p").alike(0.02, 0.03) and not column("value").alike(1e-5, 2e-7)
    assert column("share").alike(0.5, 0.5) and column("value").alike(math.nan, math.nan) and not column("p").alike(None, 0.5)


def test_values_below_the_least_one_are_less_than_it() -> None:
    small = Column(name="x", kind="value", digits=3, least=0.001)
    assert [small.text(value, 0) for value in (1e-5, 0.0, 0.001, 0.25)] == ["< 0.001", "0.000", "0.001", "0.250"]
    assert column("value", fold=True).folds and not column("count", fold=False).folds


def test_columns_of_a_frame_without_types() -> None:
    columns = columns_of_frame(pl.DataFrame({"system": ["A"], "value": [0.5], "users": [3]}))
    assert [(c.name, c.kind, c.numeric) for c in columns] == [
        ("system", "text", False),
        ("value", "plain", True),
        ("users", "plain", True),
    ]
    assert not any(c.folds for c in columns)


def test_fields_take_attributes_places_functions_and_ends_of_intervals() -> None:
    record = SimpleNamespace(value=0.5, low=0.25, high=math.nan)
    assert Field("A", "value", "value").value(record) == 0.5 and Field("B", "text", 1).value((3, "b")) == "b"
    assert Field("C", "value", lambda own: 2 * own.value).value(record) == 1.0
    assert Field("D", "interval", ("low", "value")).value(record) == (0.25, 0.5)
    assert Field("E", "interval", ("low", "high")).value(record) is None
    assert Field("F", "share", "value", "why", head="G").column == Column(name="F", kind="share", means="why", head="G")


def test_a_table_of_records_that_does_not_fold_shows_constant_columns() -> None:
    fields = (Field("A", "text", 0), Field("B", "count", 1))
    folded, sentence = Table.of_records([("a", 1), ("b", 1)], fields, name="t", title="T").folded()
    assert [column.name for column in folded.columns] == ["A"] and sentence == "Same for all rows: B 1."
    shown, sentence = Table.of_records([("a", 1), ("b", 1)], fields, name="t", title="T", folding=False).folded()
    assert shown.rows == (("a", 1), ("b", 1)) and sentence == ""
