"""A review as Markdown."""

from __future__ import annotations

from tests.reports.reviews import review

from heldout.review.lint.finding import review_markdown


def test_markdown_shows_signs_as_they_are_and_keys_as_code() -> None:
    text = review_markdown(review())
    assert "a \\<b> & \\*c\\*" in text and "many\\_ties" in text
    assert '`target = "AllItems"`' in text
    assert (
        "## Errors" in text and "## Warnings" not in text and "- HO401: Are there users enough? (needs the results)" in text
    )
