"""Drawings of characters, and splits as lines of users."""

from __future__ import annotations

from heldout.reports.render.terminal_drawing import bar, columns, framed, line


def test_bars_are_exact_to_an_eighth() -> None:
    assert bar(1, 4) == "████" and bar(0.5, 4) == "██" and bar(0, 4) == ""
    assert bar(9 / 32, 4) == "█▏"  # 1.125 characters


def test_columns() -> None:
    assert columns([1, 2], width=2, height=2) == [" █", "██"]
    assert columns([0, 0.001, 4], width=3, height=1) == [" ▁█"]  # what is there is seen
    assert columns([1, 1, 1, 1], width=2, height=1) == ["██"]  # neighbours are summed
    assert columns([]) == []


def test_a_line_goes_where_its_points_are() -> None:
    rising = line([0, 1], [0, 1], width=4, height=4)
    first = [next(k for k, row in enumerate(rising) if row[x] != " ") for x in range(4)]
    assert first == [3, 2, 1, 0]
    assert line([0.5, 0.6], [1, 1], width=10, height=2)[0].strip() and not line([], [], width=4, height=2)[0].strip()


def test_a_frame() -> None:
    text = framed(["ab", "cd"], top="1", bottom="0", left="x", right="y", width=4).plain
    assert text.splitlines() == ["1 │ab", "0 │cd", "  └────", "   x  y"]
