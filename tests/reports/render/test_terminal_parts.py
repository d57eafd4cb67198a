"""Pieces of reports in a terminal."""

from __future__ import annotations

from rich.text import Text

from heldout.reports.render.screen import printed
from heldout.reports.render.terminal_tables import Column, fitted, heading, names_column, noted, stacked


def test_parts_take_their_width_from_the_console_unless_one_is_named() -> None:
    def parts(width: int) -> list[Text]:
        return [Text(f"{width} wide")]

    assert printed(fitted(parts), 50).strip() == "50 wide"
    assert printed(fitted(parts, 30), 50).strip() == "30 wide"


def test_a_heading_stands_apart_with_its_aside() -> None:
    assert [line.rstrip() for line in printed(heading("Pairs", "first − second"), 40).splitlines()] == [
        "",
        "Pairs  first − second",
    ]


def test_a_long_message_is_folded_behind_its_code() -> None:
    lines = [line.rstrip() for line in printed(noted("HO101", "word " * 12), 30).splitlines()]
    assert lines[0].startswith("HO101  word") and lines[1].startswith("       word")


def test_names_are_told_from_all_others_however_short() -> None:
    every = ["ALS(factors=50, alpha=1)", "ALS(factors=50, alpha=2)", "ALS(factors=50, alpha=3)"]
    forms = names_column(every[:2], 60, every)
    assert forms[0] == every[:2] and len(forms) > 1
    assert all(len(set(form)) == 2 for form in forms)
    assert max(map(len, forms[-1])) < len(every[0])


def test_tables_that_are_too_wide_stand_below_one_another() -> None:
    columns = [Column(head=head, forms=[[head * 4]]) for head in "abc"]
    lines = [printed(part, 10).rstrip("\n") for part in stacked(columns, 10)]
    assert [line.split() for line in lines] == [
        ["a", "b", "─" * 10, "aaaa", "bbbb"],
        ["a", "c", "─" * 10, "aaaa", "cccc"],
    ]
