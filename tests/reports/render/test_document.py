"""Blocks of documents: folding of constants, states of explorers, and the tables that a document has."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from tests.refusals import refused
from tests.reports.render.documents import SYSTEMS, board, document, explorer, settings, universes

from heldout.errors import SpecError, UnknownNameError
from heldout.reports.columns import Column
from heldout.reports.document import NARROW, Chart, Layout, Table, Text, code


def table(*columns: Column, rows: tuple[tuple[object, ...], ...], **options: object) -> Table:
    return Table(name="t", title="T", columns=columns, rows=rows, **options)  # type: ignore[arg-type]


SYSTEM = Column(name="System", kind="system")


def test_columns_with_one_value_fold_into_a_sentence() -> None:
    shown, sentence = board().folded()
    assert sentence == "Same for all systems: users averaged 1,946."
    assert "users" not in [column.name for column in shown.columns] and len(shown.rows) == len(SYSTEMS)
    assert "users" in board().frame.columns


def test_a_single_row_and_the_first_column_do_not_fold() -> None:
    one = table(SYSTEM, Column(name="n", kind="count"), rows=(("A", 1),))
    assert one.folded() == (one, "")
    same = table(Column(name="a", kind="text"), Column(name="n", kind="count"), rows=(("A", 1), ("A", 1)))
    shown, sentence = same.folded()
    assert [column.name for column in shown.columns] == ["a"] and sentence == "Same for all rows: n 1."


def test_absent_values_fold_as_none() -> None:
    made = table(SYSTEM, Column(name="Leaks", kind="text"), rows=(("A", None), ("B", None)), subject="folds")
    assert made.folded()[1] == "Same for all folds: no leaks."
    nan = table(SYSTEM, Column(name="s", kind="share"), rows=(("A", math.nan), ("B", math.nan)))
    assert [column.name for column in nan.folded()[0].columns] == ["System"]


def test_values_and_intervals_never_fold() -> None:
    columns = (Column(name="v", kind="value"), Column(name="i", kind="interval"))
    made = table(SYSTEM, *columns, rows=(("A", 1.0, (0, 1)), ("B", 1.0, (0, 1))))
    assert made.folded() == (made, "")


def test_p_values_fold_if_they_read_the_same() -> None:
    columns = (SYSTEM, Column(name="p", kind="p"))
    alike = table(*columns, rows=(("A", 1e-5), ("B", 1e-7)), subject="pairs")
    assert alike.folded()[1] == "Same for all pairs: p < 0.001." and alike.frame["p"].to_list() == [1e-5, 1e-7]
    other = table(*columns, rows=(("A", 0.021), ("B", 0.022)))
    assert other.folded() == (other, "")


def test_hidden_columns_are_in_frames_only() -> None:
    made = table(SYSTEM, Column(name="n", kind="value", shown=False), rows=(("A", 0.25), ("B", 0.25)))
    shown, sentence = made.folded()
    assert [column.name for column in shown.columns] == ["System"] and sentence == ""
    assert made.frame["n"].to_list() == [0.25, 0.25]
    assert all("0.25" in form for form in (made.to_csv(), made.to_json()))
    assert not any("0.25" in form for form in (made.to_markdown(), made.to_latex(), made.to_html()))


def test_a_table_is_written_by_the_ending_of_its_file(tmp_path: Path) -> None:
    made = board()
    texts = {"csv": made.to_csv(), "json": made.to_json(), "tex": made.to_latex(), "md": made.to_markdown()}
    for ending, text in (texts | {"html": made.to_html()}).items():
        made.save(tmp_path / f"t.{ending}")
        assert (tmp_path / f"t.{ending}").read_text(encoding="utf-8") == text
    made.save(tmp_path / "t.txt", "csv")
    assert (tmp_path / "t.txt").read_text(encoding="utf-8") == made.to_csv()
    with refused(SpecError, where="t.xlsx", hint=".csv"):
        made.save(tmp_path / "t.xlsx")
    with refused(UnknownNameError, where="format", found="latx", hint="did you mean latex?"):
        made.to("latx")


def test_a_notebook_shows_a_table_escaped() -> None:
    hostile = table(Column(name="<script>", kind="text"), rows=(("<script>alert(1)</script>",),))
    assert "<script" not in hostile._repr_html_() and "&lt;script" in hostile._repr_html_()
    assert repr(board()).startswith("Leaderboard: 6 rows of system, nDCG@10, ")


def test_a_table_of_a_frame_reads_its_rows_when_asked() -> None:
    frame = pl.DataFrame({"system": ["A", "B"], "p": [0.0, 0.25], "users": [1, 2], "seen": [None, True]})
    made = Table.of_frame("frame", "A frame", frame)
    assert made.frame is frame and len(made.rows) == 2 and list(made.rows)[1] == ("B", 0.25, 2, True)
    assert made.rows[0] == ("A", 0.0, 1, None) and list(made.rows[:1]) == [("A", 0.0, 1, None)]


def test_values_and_columns_by_name() -> None:
    made = settings(3)
    assert made.values("cutoff") == [0, 1, 2] and made.column("cutoff").head == "Cut-off"
    assert [column.name for column in made.without("cutoff").columns] == ["setting", *SYSTEMS[:2]]


def test_a_document_lists_its_tables_and_an_explorer_its_first_state() -> None:
    made = document()
    assert {"leaderboard", "settings", "universe"} <= set(made.tables())
    assert made.tables()["leaderboard"].rows == board().rows  # of the first state
    later = replace(explorer(), start=4)
    sections = (replace(made.sections[0], blocks=(later,)),)
    assert replace(made, sections=sections).tables()["leaderboard"].rows == board("TestRatings").rows


def test_a_packed_explorer_has_a_table_for_each_state() -> None:
    packed = universes()
    for state in (0, 5, len(packed.codes) - 1):
        text, made = packed.blocks(state)
        assert isinstance(text, Text) and isinstance(made, Table)
        assert made.values("system") == [packed.systems[k] for k in packed.order[state]]
        for name, value in zip(made.values("system"), made.values("value"), strict=True):
            raw = packed.cells["value"][state, packed.systems.index(name)]
            assert value is None if math.isnan(raw) else value == raw
        assert made.column("value").title == packed.heads["value"][state]
        assert made.column("value").digits == packed.digits[state]


def test_backticks_enclose_code() -> None:
    assert Text.coded("set `t` or `sign`").spans == Text("set ", code("t"), " or ", code("sign")).spans
    assert Text("a", code("b"), note=True).plain == "ab"


def test_a_chart_is_drawn_for_its_room() -> None:
    chart = Chart(name="c", title="C", caption="What it shows.", draw=lambda layout: {"width": layout.width})
    assert chart.spec()["width"] == 896 and chart.spec(NARROW)["width"] == 340
    assert chart.spec(Layout.inches(3.4))["width"] == pytest.approx(3.4 * 96) and Layout.inches(3.4).narrow
    assert chart.spec()["description"] == "What it shows." and "vega-lite/v6" in chart.spec()["$schema"]
