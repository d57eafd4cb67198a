"""A review in the terminal and as Markdown."""

from __future__ import annotations

from heldout.reports.markdown.lint import review_markdown
from heldout.reports.terminal.lint import render_review, summary
from heldout.reports.terminal.screen import printed
from heldout.review.lint.finding import Finding, Review, Unchecked


def review() -> Review:
    findings = (
        Finding(code="HO201", severity="error", stage="target", message="a <b> & *c*", change='write target = "AllItems"'),
        Finding(code="HO206", severity="advice", stage="ties", message="many_ties", change="count them"),
    )
    return Review("study.toml", findings, (Unchecked("HO401", "Are there users enough?", "results"),), rules=40)


def test_a_summary_counts_by_severity() -> None:
    assert summary(review()) == "1 error and 1 piece of advice"
    assert summary(Review("study.toml", ())) == "nothing to object"


def test_the_gravest_stands_first_with_what_to_change() -> None:
    text = printed(render_review(review()), 100)
    assert text.index("Errors") < text.index("HO201") < text.index("Advice") < text.index("HO206")
    assert "a <b> & *c*" in text and '→ write target = "AllItems"' in text
    assert "HO401 (--unchecked says what they ask)" in text
    assert "HO401 Are there users enough?" in printed(render_review(review(), unchecked=True), 100)


def test_markdown_shows_signs_as_they_are_and_keys_as_code() -> None:
    text = review_markdown(review())
    assert "a \\<b> & \\*c\\*" in text and "many\\_ties" in text
    assert '`target = "AllItems"`' in text
    assert (
        "## Errors" in text and "## Warnings" not in text and "- HO401: Are there users enough? (needs the results)" in text
    )
