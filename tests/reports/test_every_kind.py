"""Tables and figures of every kind: a page, `results.tables` and `results.figures` have the same by the same names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from tests.reports.every_kind import KINDS, results_of

from heldout.reports.document import Chart, Document, Listing, Table, Text

TABLES_ON_THE_PAGE = {"study": {"leaderboard", "differences", "settings", "margin-curve"}}
"""Figures that are made on request only, because the page shows the same as a table."""
OF_A_PAIR = "speccurve-"
"""Start of figures that have one name and the option `pair`."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_of_the_page_can_be_saved_by_its_name(kind: str) -> None:
    made = results_of(kind)
    assert set(made.document.tables()) <= set(made.tables)
    assert all(made.tables[name].name == name for name in made.tables)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_has_every_figure_that_can_be_saved(kind: str) -> None:
    made = results_of(kind)
    page = {block.name for block in made.document.blocks() if isinstance(block, Chart)}
    assert {name for name in page if not name.startswith(OF_A_PAIR)} <= set(made.figures)
    assert set(made.figures) - page == TABLES_ON_THE_PAGE.get(kind, set())
    assert all(made.figures[name].name == name for name in made.figures)


def sentences_of(document: Document) -> Iterator[str]:
    """Every sentence that a reader of the page meets outside cells of tables and definitions."""
    texts = [document.answer, *(text.plain for text in document.numbers)]
    for block in document.blocks():
        if isinstance(block, Table | Chart):
            texts.append(block.explanation)
        elif isinstance(block, Text | Listing):
            texts += [text.plain for text in ([block] if isinstance(block, Text) else block.items)]
    texts += [notice.text.plain for notice in document.notices] + [text.plain for text in document.unchecked]
    for text in texts:
        yield from re.split(r"(?<=[.?!]) +(?=[A-Z])", text.strip()) if text.strip() else ()


@pytest.mark.parametrize("kind", KINDS)
def test_no_sentence_is_read_twice(kind: str) -> None:
    counts = Counter(sentences_of(results_of(kind).document))
    assert [sentence for sentence, n in counts.items() if n > 1] == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_by_itself_has_its_whole_caption(kind: str) -> None:
    made = results_of(kind)
    for name, table in made.document.tables().items():
        assert table.explanation in ("", table.caption) or set(table.explanation.split()) < set(table.caption.split())
        assert made.tables[name].caption == table.caption
