"""Tables read back from a page."""

from __future__ import annotations

import re

import pytest
from tests.reports.every_kind import DRAWN, results_of

from heldout.reports.page.markup import breakable, cell, el, join, rows, table
from heldout.reports.page.sheets import kebab, sheets
from heldout.words import number


def test_a_table_is_read_as_it_was_written() -> None:
    value = join(el("span", "★", cls="star"), el("data", el("b", "0.12"), value="0.1234"))
    heads = [cell("0 to 1", "track"), cell(breakable("name(a, b)")), cell("P@5", "num")]
    body = rows(
        [
            [
                cell(el("span", "dot", aria_hidden="true"), "track"),
                cell("<b>&"),
                cell(join(value, el("sup", "ab")), "num best"),
            ]
        ]
    )
    page = join(el("p", "before"), table(heads, body, caption="The best", key="best-table"), el("p", "after"))
    (sheet,) = sheets(page).values()
    assert (sheet.name, sheet.title, sheet.heads, sheet.numeric) == (
        "best",
        "The best",
        ("name(a, b)", "P@5"),
        (False, True),
    )
    [[name, best]] = sheet.rows
    assert (name.text, name.values, name.best) == ("<b>&", (), False)
    assert (best.text, best.values, best.letters, best.best) == ("0.12", ("0.1234",), "ab", True)


def test_tables_of_one_name_are_numbered() -> None:
    twice = table([cell("a")], rows([]), caption="Mean τ: x") * 2
    assert list(sheets(twice)) == ["mean-x", "mean-x-2"]
    assert kebab("—") == "table"


@pytest.mark.parametrize("kind", DRAWN)
def test_every_table_of_every_page_is_named_and_rectangular(kind: str) -> None:
    page = results_of(kind).to_html()
    tables = sheets(page)
    assert len(tables) == page.count("<table")
    for name, sheet in tables.items():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
        assert sheet.title and all(len(row) == len(sheet.heads) for row in sheet.rows), name


def test_cells_are_those_of_the_facts() -> None:
    results = results_of("study")
    board = results.tables["all-leaderboards"].frame.filter(metric="P@5")
    shown = results.tables["leaderboard"]
    assert [row[1].text for row in shown.rows] == board["system"].to_list()
    assert [row[2].text for row in shown.rows] == [number(value, 4) for value in board["value"]]
