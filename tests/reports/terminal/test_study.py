"""The report in a terminal."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console
from tests.reports.kept import facts_of, outcome_of
from tests.reports.sample import SYSTEMS, TESTS, facts

import heldout as ho
from heldout.reports.terminal.catalogue import render, render_card, render_list
from heldout.words import interval, number, p_number, signed


def shown(renderable, width):
    out = io.StringIO()
    Console(file=out, width=width).print(renderable)
    return out.getvalue()


@pytest.mark.parametrize("width", [200, 120, 80, 60, 40])
def test_every_width_holds_the_numbers_of_the_leaderboard_whole(width):
    text, view = shown(render(facts()), width), facts()
    assert all(len(line.rstrip()) <= width for line in text.splitlines())
    for row in view.board(0):
        assert re.search(rf"(?<!\d){re.escape(number(row.value, 4))}(?!\d)", text)
        assert interval(row.low, row.high, 4) in text
    flat = re.sub(r"\s+", " ", text)
    for pair in view.against_others(0, TESTS[0]):
        assert signed(pair.difference, 4) in flat
        assert interval(pair.low, pair.high, 4, sign=True) in flat
    assert flat.count(p_number(1e-6)) >= 10


@pytest.mark.parametrize("width", [80, 60])
def test_what_does_not_fit_goes_below(width):
    """Every column of a wide terminal is there in a narrow one, beside the names of its rows."""
    wide, narrow = (shown(render(facts()), w).partition("Does it hold?") for w in (200, width))
    heads = wide[0].partition("Leaderboard")[2].splitlines()[1].split()
    assert len(heads) > 6 and set(heads) <= set(narrow[0].split())
    heads = wide[2].partition("against the others")[2].splitlines()[1].split()
    assert "win/tie/loss" in heads and set(heads) <= set(narrow[2].split())


@pytest.mark.parametrize("width", [120, 80, 60])
def test_the_value_of_every_leader_is_shown(width):
    sample = facts()
    lines = shown(render(sample), width).partition("Does it hold?")[2].partition("against the others")[0].splitlines()
    assert len({row.leader for row in sample.verdict.rows}) > 1
    for row, setting in zip(sample.verdict.rows, sample.settings, strict=True):
        at = next(
            k
            for k, line in enumerate(lines)
            if line.strip().startswith((setting.label, f"yes  {setting.label}", f"NO  {setting.label}"))
        )
        assert number(row.value, 3) in f"{lines[at]} {lines[at + 1]}"


def test_the_sentence_comes_first_and_nothing_is_coloured_off_a_terminal():
    text = shown(render(facts()), 120)
    assert text.index("EASE(l2=500) leads under") < text.index("Leaderboard")
    assert "\x1b" not in text


def test_a_fixed_width_equals_the_console_width():
    assert shown(render(facts(), width=70), 70) == shown(render(facts()), 70)


def test_correction_family_and_codes_are_named():
    text = shown(render(facts()), 100)
    assert "p adjusted by holm over 15 comparisons" in text
    assert "H104" in text and "H210" in text
    assert text.count("NO ") == 4 and "the same leader in 4 of 8 settings" in text


def test_names_with_markup_are_shown_as_they_are():
    sample = facts()
    rows = tuple(replace(r, system="[bold]x[/bold]") if r.system == SYSTEMS[5] else r for r in sample.leaderboard)
    assert "[bold]x[/bold]" in shown(render(replace(sample, leaderboard=rows)), 120)


def test_one_system_and_no_comparison_is_still_a_report():
    sample = facts()
    alone = replace(
        sample, leaderboard=sample.leaderboard[:1], comparisons=(), settings=sample.settings[:1], systems=SYSTEMS[:1]
    )
    text = shown(render(alone), 80)
    assert "0.4682" in text and "against the others" not in text
    assert "No system has a value" in shown(render(replace(alone, leaderboard=())), 80)


def test_lists_and_cards():
    text = shown(render_list([("P", "P(rel=4)@n", "Share of relevant items."), ("x", "x", "[y]")], "Metrics"), 60)
    assert "Metrics (2)" in text and "P(rel=4)@n" in text and "[y]" in text
    text = shown(
        render_card("P@n", [("Formula", "hits / n"), ("Empty", ""), ("Parameters", [("n", "int", "", "Cut-off.")])]), 60
    )
    assert "int, required" in text and "Empty" not in text and "hits / n" in text


def compared(**asked):
    return facts_of(outcome_of(), metrics="P@10", **asked)


def test_tests_that_agree_share_one_table_with_a_column_each():
    text = shown(render(compared(tests=["t", "permutation(samples=4000)", "bayes(samples=200)"])), 160)
    assert text.count("against the others") == 1
    head = next(line for line in text.splitlines() if line.startswith("against  "))
    for column in (" t ", "permutation", "better", "equal", "worse"):
        assert column in head
    assert "Under the name of a test its adjusted p; p adjusted by holm over 6 comparisons" in text


def test_one_user_is_no_users():
    text = repr(ho.evaluate({"u": {"x": 1, "y": 0}}, {"u": ["x", "y"]}, ["RR"], relevance="threshold(1)"))
    assert "1 user averaged" in text and "1 users" not in text
