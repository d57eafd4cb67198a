"""Users needed, as a table."""

from __future__ import annotations

import polars as pl

from heldout.reports.power import document
from heldout.reports.render import terminal
from heldout.reports.render.screen import printed

ROWS = pl.DataFrame(
    {
        "metric": ["P@10"] * 2,
        "split": ["ratio"] * 2,
        "relevance": [""] * 2,
        "target": ["AllItems"] * 2,
        "a": ["EASE(l2=500)", "EASE(l2=500)"],
        "b": ["Popularity", "Random"],
        "deviation": [0.2, 0.1],
        "d": [0.1, 0.2],
        "users_needed": [1571, 395],
        "users": [943, 943],
        "power": [0.55, 0.99],
    }
)


def test_the_answer_spans_the_pairs_and_each_pair_has_a_row() -> None:
    report = document(ROWS, 0.02, 0.8, 0.05, 1)
    assert report.answer == "395 to 1,571 users find a difference of 0.02."
    assert report.numbers[0].plain == "In P@10, with a power of 80% at level 0.05."
    assert report.facts == ("split ratio, target AllItems",)
    assert report.main is not None
    assert report.main.rows[0] == ("EASE(l2=500)", "Popularity", 0.2, 0.1, 1571, 943, 0.55)  # d = 0.02 ÷ 0.2


def test_several_comparisons_divide_the_level() -> None:
    report = document(ROWS[:1], 0.02, 0.8, 0.05, 3)
    assert report.answer.startswith("1,571 users ") and "divided by 3 comparisons" in report.numbers[0].plain


def test_narrow_terminals_keep_the_users_needed() -> None:
    lines = printed(terminal.document(document(ROWS, 0.02, 0.8, 0.05, 1)), 40).splitlines()
    assert all(len(line.rstrip()) <= 40 for line in lines) and any("1,571" in line for line in lines[3:])
