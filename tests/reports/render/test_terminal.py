"""Documents in a terminal: the answer, one table and the notices within the width; everything else on demand."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.reports.kept import facts_of, study_scores_of
from tests.reports.pictured import pictured
from tests.reports.render.documents import SYSTEMS, board, document, settings
from tests.reports.sample import facts

import heldout as ho
from heldout.analysis.rows import Verdict
from heldout.reports import study
from heldout.reports.columns import Column
from heldout.reports.document import Document, Table
from heldout.reports.render import terminal
from heldout.reports.render.screen import printed

WIDTHS = (40, 60, 80, 120, 200)


def shown(source: Document, width: int = 80, *, full: bool = False) -> str:
    return printed(terminal.document(source, full=full), width)


def longest(text: str) -> int:
    return max(cell_len(line.rstrip()) for line in text.splitlines())


@cache
def two_runs() -> ho.Results[Any]:
    users = [f"u{k}" for k in range(40)]
    test = {user: {f"i{k % 7}": 1, f"i{k % 5 + 10}": 1} for k, user in enumerate(users)}
    good = {user: [f"i{k % 7}", "x", f"i{k % 5 + 10}"] for k, user in enumerate(users)}
    other = {user: ["x", "y", f"i{k % 7}"] if k % 3 else [f"i{k % 7}"] for k, user in enumerate(users)}
    return ho.evaluate(test, {"A": good, "B": other}, ["nDCG@3", "P@3", "RR"], relevance="threshold(1)")


SOURCES: dict[str, Callable[[], Document]] = {
    "every block": document,
    "sample": lambda: study.document(facts()),
    "pictures": lambda: study.document(pictured()),
    "aggregations": lambda: study.document(facts_of(study_scores_of(), aggregate=["mean", "gmean(0.01)"], tests=["t"])),
    "two runs": lambda: two_runs().document,
}


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("full", [False, True], ids=["short", "full"])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_line_is_wider_than_the_terminal(name: str, full: bool, width: int) -> None:
    assert longest(shown(SOURCES[name](), width, full=full)) <= width


def test_the_order_is_answer_numbers_table_notices() -> None:
    text = shown(document())
    parts = [
        "UserKNN wins, except under TestRatings.",
        "nDCG@10 (binary) is 0.239",
        "Two-sided",
        "System",
        "Notices",
        "M4203",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places) and text.startswith("Six recommenders on simulated ratings · 6 systems")
    assert "M4301" in text and '+ target = "AllItems"' in text
    assert "Curves" not in text and "20, with" not in text


def test_the_full_report_has_every_table_and_the_appendix() -> None:
    for make in SOURCES.values():
        source = make()
        text = shown(source, 120, full=True)
        heads = {line.strip() for line in text.splitlines()}
        for section in (*source.sections, *source.appendix):
            for block in section.blocks:
                if isinstance(block, Table):
                    assert block.title in heads, block.title
    assert "Neighbours of the user." in shown(document(), full=True) and "– One." in shown(document(), full=True)


def cells(table: Table) -> Iterator[str]:
    folded, _ = table.folded()
    for number, row in enumerate(folded.rows):
        for column, value in zip(folded.columns, row, strict=True):
            if column.kind in ("value", "interval", "p", "share", "count"):
                yield column.text(value, number)


@pytest.mark.parametrize("width", WIDTHS[1:])
def test_every_number_of_the_full_report_is_whole_at_every_width(width: int) -> None:
    source = study.document(facts())
    words = set(shown(source, width, full=True).split())
    for name in ("leaderboard", "differences", "pairs"):
        missing = {word for text in cells(source.tables()[name]) for word in text.split()} - words
        assert not missing, (name, missing)


def test_two_runs_and_three_metrics_take_about_twenty_lines() -> None:
    """The protocol, the letters and each notice are there; the notices of this evaluation take the rest."""
    results = two_runs()
    text = printed(results._kind.terminal(results, 80), 80)
    body, _, notices = text.partition("Notices")
    assert len(body.splitlines()) <= 20
    for name in ("nDCG@3", "P@3", "RR"):
        assert name in body
    for notice in results.findings.notices:
        assert notice.code in notices and notice.title in notices


def test_columns_without_room_are_named() -> None:
    narrow, wide = shown(document(main=board()), 60), shown(document(main=board()), 200)
    assert "heldout report --full adds " in narrow and "heldout report --full adds" not in wide
    added = " ".join(narrow.split()).partition("--full adds ")[2].partition(".")[0]
    assert "95% CI" in added
    for number in ("0.239", "0.204", "0.090"):
        assert number in narrow


def test_values_below_a_shared_head_are_under_its_name() -> None:
    text = shown(document(), 200)
    (head,) = [line for line in text.splitlines() if line.startswith("System ")]
    assert "nDCG@10 (binary)" in head and "P@10" in head and "Mean" not in head
    assert "0.229–0.249 a" in text and "Same for all systems: users averaged 1,946." in text


def test_very_long_tables_are_cut_and_say_so() -> None:
    many = settings(260)
    text = printed(terminal.table(many), 100)
    assert "60 more rows: heldout report --table settings." in " ".join(text.split())
    assert "cut-off 199" in text and "cut-off 200" not in text


def test_a_table_without_rows_says_so() -> None:
    empty = Table(name="t", title="Nothing", columns=(Column(name="a", kind="text"),), rows=())
    assert printed(terminal.table(empty), 80).split("\n")[:2] == ["Nothing", "No rows."] or "No rows." in printed(
        terminal.table(empty), 80
    )


def test_markup_in_names_is_shown_as_it_is_and_nothing_is_coloured_off_a_terminal() -> None:
    made = board(systems=("[bold]x[/bold]", *SYSTEMS[1:]))
    text = shown(document(main=made))
    assert "[bold]x[/bold]" in text and "\x1b" not in text


def test_what_stands_out_is_bold_on_a_terminal() -> None:
    out = io.StringIO()
    Console(file=out, width=120, force_terminal=True, color_system="standard").print(terminal.table(board()))
    line = next(line for line in out.getvalue().splitlines() if "0.239" in line)
    assert "\x1b[1m" in line.partition("0.239")[0]


def test_a_fixed_width_equals_the_width_of_the_console() -> None:
    source = document()
    assert printed(terminal.document(source, width=70), 70) == shown(source, 70)


def test_a_report_without_a_value_says_so() -> None:
    sample = facts()
    verdict = Verdict(answer="No system could be measured.")
    empty = replace(sample, settings=sample.settings[:1], leaderboard=(), comparisons=(), verdict=verdict)
    nothing = study.document(empty)
    assert "No system has a value" in shown(nothing, full=True)


def test_one_user_is_no_users() -> None:
    results = ho.evaluate({"u": {"x": 1, "y": 0}}, {"u": ["x", "y"]}, ["RR"], relevance="threshold(1)")
    assert "1 user " in repr(results) and "1 users" not in repr(results)
