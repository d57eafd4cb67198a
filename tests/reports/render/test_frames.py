"""Tables for programs: every column, all digits, no formulas and no p of zero."""

from __future__ import annotations

import csv
import io
import json

import polars as pl
import pytest
from tests.reports.render.documents import SYSTEMS, board

from heldout.reports.columns import Column
from heldout.reports.document import Table

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "=cmd|' /C calc'!A0"]


def table(*columns: Column, rows: tuple[tuple[object, ...], ...] = ()) -> Table:
    return Table(name="t", title="T", columns=columns, rows=rows)


def test_a_frame_has_every_column_with_all_digits() -> None:
    frame = board().frame
    assert frame.columns[:5] == ["system", "nDCG@10", "nDCG@10 interval low", "nDCG@10 interval high", "nDCG@10 letters"]
    assert frame["nDCG@10"][0] == 0.239 + 0.0001234 and frame["users"].to_list() == [1946] * len(SYSTEMS)
    assert (frame.schema["users"], frame.schema["p"], frame.schema["system"]) == (pl.Int64, pl.Float64, pl.String)


def test_its_shape_does_not_depend_on_the_values() -> None:
    columns = tuple(Column(name=k, kind=k) for k in ("value", "interval", "p", "share", "count", "seconds", "bytes", "text"))  # type: ignore[arg-type]
    names = ["value", "interval low", "interval high", "p", "share", "count", "seconds", "bytes", "text"]
    empty, absent = table(*columns), table(*columns, rows=((None,) * 8,))
    full = table(*columns, rows=((0.5, (0.1, 0.2), 0.3, 0.4, 5, 0.6, 7, "t"),))
    for made in (empty, absent, full):
        assert made.frame.columns == names and made.frame.schema == full.frame.schema
    assert absent.frame.row(0) == (None,) * 9


def test_csv_and_json_have_the_same_values() -> None:
    made = board()
    read = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert float(read[0]["nDCG@10"]) == made.rows[0][1] and read[0]["Fit"] == ""
    objects = json.loads(made.to_json())
    assert objects[0]["nDCG@10"] == made.rows[0][1] and objects[0]["Fit"] is None
    assert list(objects[0]) == list(read[0]) == made.frame.columns


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_are_made_texts_in_csv(formula: str) -> None:
    rows = tuple((text, value) for text, value in zip([formula, "A=1", None, "'=1"], [-0.5, 1.0, None, 2.0], strict=True))
    made = table(Column(name="System", kind="system"), Column(name="v", kind="value"), rows=rows)
    read = list(csv.reader(io.StringIO(made.to_csv(), newline="")))
    assert [row[0] for row in read] == ["System", f"'{formula}", "A=1", "", "'=1"]
    assert [row[1] for row in read] == ["v", "-0.5", "1.0", "", "2.0"]  # numbers stay numbers
    assert json.loads(made.to_json())[0]["System"] == made.frame["System"][0] == formula


@pytest.mark.parametrize("name", ["p", "p adjusted", "p_adjusted"])
def test_no_p_is_zero(name: str) -> None:
    made = table(Column(name="a", kind="text"), Column(name=name, kind="p"), rows=(("x", 0.0), ("y", 0.25), ("z", None)))
    assert [row[name] for row in csv.DictReader(io.StringIO(made.to_csv()))] == ["< 1e-300", "0.25", ""]
    assert [row[name] for row in json.loads(made.to_json())] == ["< 1e-300", "0.25", None]
    assert made.frame[name].to_list() == [0.0, 0.25, None]
    numbers = table(Column(name="a", kind="text"), Column(name=name, kind="p"), rows=(("x", 1e-200),))
    assert json.loads(numbers.to_json())[0][name] == 1e-200


def test_numbers_that_are_not_finite_are_null_in_json() -> None:
    made = table(Column(name="v", kind="value"), rows=((float("nan"),), (float("inf"),)))
    assert [row["v"] for row in json.loads(made.to_json())] == [None, None]


def test_lists_of_frames_are_texts_in_csv() -> None:
    made = Table.of_frame("f", "F", pl.DataFrame({"a": [[1, 2], None]}))
    assert made.to_csv().splitlines() == ["a", '"[1, 2]"', ""]
    assert json.loads(made.to_json())[0]["a"] == [1, 2]


def test_an_empty_table() -> None:
    assert Table.of_frame("f", "F", pl.DataFrame()).to_csv() == ""
    assert table(Column(name="a", kind="text")).to_csv() == "a\n"
