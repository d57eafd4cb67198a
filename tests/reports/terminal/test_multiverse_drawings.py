"""The specification curve and bars of shares, drawn of characters."""

from dataclasses import replace

from rich.text import Text
from tests.reports.test_multiverse import several, two  # noqa: F401

from heldout.reports.terminal.multiverse_drawings import curve_text, shares_text


def test_a_bar_of_shares_by_hand(two):  # noqa: F811
    """A is significantly better in 6 of 8 universes, B in 2: three quarters and a quarter of the bar."""
    pair = two.pairs[0]
    line, key = shares_text(pair, 40)
    assert line.plain == "█" * 30 + "▓" * 10
    assert "A better 75.0%" in key.plain and "neither 0%" in key.plain and "B better 25.0%" in key.plain
    assert shares_text(replace(pair, shares=replace(pair.shares, universes=0)), 40) == []


def test_a_curve_has_a_column_for_each_universe_or_says_how_many_share_one(two, several):  # noqa: F811
    lines, note = curve_text(two.pairs[0], two, 80)
    assert "Each column is a universe" in note and "A column is 3 characters wide." in note
    cells = next(line.plain for line in lines if isinstance(line, Text) and "TestRatings" in line.plain).rpartition(
        "TestRatings "
    )[2]
    assert len(cells) == 3 * 8
    for width in (50, 100):
        lines, note = curve_text(several.contested[0], several, width)
        assert all(len(line.plain) <= width for line in lines if isinstance(line, Text)) and "240 universes in" in note


def test_the_first_universes_hang_below_the_axis_and_the_last_stand_above(two):  # noqa: F811
    """B is ahead in 2 universes, A in 6: below the axis two columns of three characters, above it six."""
    lines, _ = curve_text(two.pairs[0], two, 80)
    drawn = [line.plain for line in lines[:8]]
    axis = next(k for k, line in enumerate(drawn) if "equal" in line)
    full = [sum(char in "█▄▀" for char in line) for line in drawn]
    assert max(full[:axis]) == 18 and max(full[axis:]) == 6
