"""In a terminal: the leader against the others."""

from __future__ import annotations

from tests.reports.terminal.test_study import compared

from heldout.reports.terminal.pairs import NARROW, pairwise
from heldout.reports.terminal.screen import printed
from heldout.words import p_number, signed


def text(width: int, **options: object) -> str:
    return "".join(printed(part, width) for part in pairwise(compared(**options), width))


def test_every_rival_has_its_difference_and_p() -> None:
    view = compared(tests=["t"])
    for width in (NARROW - 1, 100):
        lines = " ".join(text(width, tests=["t"]).split())
        for pair in view.against_others(view.primary, "t"):
            assert signed(pair.difference, 4) in lines and p_number(pair.p_adjusted) in lines and pair.b in lines


def test_wins_are_counted_at_every_width() -> None:
    pairs = compared(tests=["t"]).against_others(0, "t")
    for width in range(NARROW, 160, 4):
        lines = text(width, tests=["t"])
        assert all(f"{pair.wins}/{pair.ties}/{pair.losses}" in lines for pair in pairs)


def test_nothing_tested_has_no_p() -> None:
    lines = text(100, tests=[])
    assert "nothing was tested" in lines and "p adj." not in lines
