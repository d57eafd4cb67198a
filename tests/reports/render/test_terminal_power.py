"""Users needed, as a table."""

from __future__ import annotations

import polars as pl

from heldout.reports.render.screen import printed
from heldout.reports.render.terminal_power import render_power

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


def test_the_sentence_spans_the_pairs_and_each_pair_has_a_line() -> None:
    text = " ".join(printed(render_power(ROWS, 0.02, 0.8, 0.05, 1), 100).split())
    assert "A difference of 0.02 in P@10 is found with a power of 80% at level 0.05, by 395 to 1,571 users" in text
    assert "Under split ratio, target AllItems." in text
    assert "EASE(l2=500) − Popularity 0.2000 0.100 1,571 943 55.0%" in text  # d = 0.02 ÷ 0.2


def test_several_comparisons_divide_the_level() -> None:
    text = " ".join(printed(render_power(ROWS[:1], 0.02, 0.8, 0.05, 3), 100).split())
    assert "at level 0.05, divided by 3 comparisons, by 1,571 users." in text


def test_narrow_terminals_keep_the_users_needed() -> None:
    lines = printed(render_power(ROWS, 0.02, 0.8, 0.05, 1, 40), 40).splitlines()
    assert all(len(line.rstrip()) <= 40 for line in lines) and any("users needed" in line for line in lines)
