"""A figure of a row, in words and exactly."""

from __future__ import annotations

from types import SimpleNamespace

from heldout.reports.table_figure import TableFigure

SHARE: TableFigure[SimpleNamespace] = TableFigure(
    key="share", head="Share", brief="share", meaning="Of all.", text=lambda row: f"{row.share:.0%}"
)


def test_words_are_short_and_the_value_is_exact() -> None:
    row = SimpleNamespace(share=0.123456)
    assert SHARE.text(row) == "12%" and SHARE.exact(row) == "0.1235"


def test_nothing_is_written_of_what_is_not_there() -> None:
    assert SHARE.exact(SimpleNamespace(share=None)) == ""
