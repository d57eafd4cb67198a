"""Small words, and sentences of grids."""

from __future__ import annotations

from tests.review.methods.sections import text_of

from heldout import Methods


def test_a_grid_is_worded_as_one(section: Methods) -> None:
    assert "two selections of the ratings: (i) the data as they are; and (ii) those" in text_of(section, "Data")
    assert "chosen in two ways: (i) all items" in text_of(section, "Candidates and relevance")
    assert "nDCG at 5 and 10: " in text_of(section, "Metrics")
    assert "Otherwise a test rating of at least 4" in text_of(section, "Candidates and relevance")
