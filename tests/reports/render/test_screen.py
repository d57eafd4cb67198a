"""The console of reports: text is shown, never obeyed."""

from __future__ import annotations

import pytest
from rich.text import Text

from heldout.reports.render.screen import Screen, printed


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x9b31m", "\x07", "\u202e", "\r"])
def test_control_characters_are_written_out(hostile: str) -> None:
    text = printed(Text(f"a{hostile}b"), 60)
    assert hostile not in text and text.startswith("a") and text.rstrip().endswith("b")


@pytest.mark.parametrize("plain", ["[bold]x[/bold]", ":smile:", "http://x.y/z 123 'q'"])
def test_markup_emoji_and_numbers_are_text(plain: str) -> None:
    screen = Screen(width=60, force_terminal=True)
    with screen.capture() as captured:
        screen.print(plain)
    assert captured.get().strip() == plain


def test_a_reader_that_went_away_is_no_error_of_the_screen() -> None:
    with pytest.raises(BrokenPipeError):
        Screen().on_broken_pipe()
