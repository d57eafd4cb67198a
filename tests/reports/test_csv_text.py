"""Tables for spreadsheets run nothing; numbers, and files of data, are left as they are."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import polars as pl
import pytest
from tests.cli.conftest import Command, desk, heldout  # noqa: F401

from heldout.reports.csv_text import csv_text

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\r=1", "=cmd|' /C calc'!A0"]


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas_are_made_texts(formula: str) -> None:
    frame = pl.DataFrame({"system": [formula, "A=1", "", None, "'=1"], "value": [-0.5, 1.0, None, 2.0, 3.0]})
    read = list(csv.reader(io.StringIO(csv_text(frame), newline="")))
    assert [row[0] for row in read] == ["system", f"'{formula}", "A=1", "", "", "'=1"]
    assert [row[1] for row in read] == ["value", "-0.5", "1.0", "", "2.0", "3.0"]


def test_an_empty_table() -> None:
    assert csv_text(pl.DataFrame()) == ""
    assert csv_text(pl.DataFrame({"a": []}, schema={"a": pl.String})) == "a\n"


def test_only_tables_for_reading_are_changed(heldout: Command, desk: Path) -> None:  # noqa: F811
    """The same name in the leaderboard, in values per user and in converted data."""
    (desk / "test.csv").write_text("user,item,rating\n" + "".join(f"=u{n},-i{n},5\n=u{n},@x,1\n" for n in range(4)))
    (desk / "run.csv").write_text("user,item,score\n" + "".join(f"=u{n},-i{n},2\n=u{n},@x,1\n" for n in range(4)))
    asked = ("evaluate", "--qrels", "test.csv", "--run", "@A=run.csv", "--run", "+B=run.csv", "-m", "P@1", "-q")
    said = heldout(*asked, "--format", "csv", "--per-user", "users.csv")
    assert said.code == 0, said
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert [row["system"] for row in rows] == ["'@A", "'+B"]
    assert heldout("data", "convert", "test.csv", "new.csv").code == 0
    assert "'" not in (desk / "users.csv").read_text() + (desk / "new.csv").read_text()
    assert "=u0" in (desk / "users.csv").read_text()
    assert "=u0,-i0,5" in (desk / "new.csv").read_text()
