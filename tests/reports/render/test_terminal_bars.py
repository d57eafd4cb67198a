"""Bars of characters."""

from heldout.reports.render.terminal_tables import bar


def test_bars_are_exact_to_an_eighth() -> None:
    assert bar(1, 4) == "████" and bar(0.5, 4) == "██" and bar(0, 4) == ""
    assert bar(9 / 32, 4) == "█▏"  # 1.125 characters
