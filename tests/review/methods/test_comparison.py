"""What is said of the comparison."""

from __future__ import annotations

from tests.review.methods.sections import text_of

from heldout import Methods


def test_what_was_compared_with_what_is_said(section: Methods) -> None:
    said = text_of(section, "Statistical comparison")
    assert "Every system was compared with Popularity, 1 comparison in each setting." in said
    assert "averaged over folds before testing" in said
