"""A review in the terminal and as Markdown."""

from __future__ import annotations

from tests.reports.reviews import review

from heldout.reports.render.screen import printed
from heldout.reports.render.terminal_lint import render_review


def test_the_gravest_stands_first_with_what_to_change() -> None:
    text = printed(render_review(review()), 100)
    assert text.index("Errors") < text.index("HO201") < text.index("Advice") < text.index("HO206")
    assert "a <b> & *c*" in text and 'write target = "AllItems"' in text
    assert "HO401 (--unchecked says what they ask)" in text
    assert "HO401 Are there users enough?" in printed(render_review(review(), unchecked=True), 100)
