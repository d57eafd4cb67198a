"""Pictures of data sets, before they are drawn."""

from __future__ import annotations

import pytest

import heldout as ho
from heldout.reports.profile_views import (
    TITLES,
    data_facts,
    data_picture,
    has_picture,
    picture_name,
    short_count,
    span_words,
)

RATINGS = {"user": ["a", "a", "a", "b"], "item": ["x", "y", "z", "x"], "rating": [5, 3, 4, 5]}
FACTS = data_facts(ho.profile(RATINGS, ["min_ratings(user=2)"]).findings)


def test_bars_stand_side_by_side_for_each_rating() -> None:
    """3, 4, 5, 5 as read; without b's rating 3, 4, 5."""
    picture = data_picture(FACTS, "values")
    (_, read), (_, left) = picture.bars
    assert [bar.height for bar in read] == [1, 1, 2] and [bar.height for bar in left] == [1, 1, 1]
    assert [words for _, words in picture.x.ticks] == ["3", "4", "5"]
    assert all(first.end == pytest.approx(second.start) for first, second in zip(read, left, strict=True))
    assert read[-1].words == "5: 2 ratings"


def test_parts_that_are_not_there_have_no_picture() -> None:
    drawn = [part for part in TITLES if has_picture(FACTS, part)]
    assert "activity" not in drawn and "popularity" in drawn and "ratings_per_user" in drawn
    for part in drawn:
        picture = data_picture(FACTS, part)
        assert picture.bars or picture.lines
        assert picture.x.start < picture.x.end and picture.y.start < picture.y.end


def test_names_and_short_counts() -> None:
    assert picture_name("ratings_per_user") == "data-ratings-per-user" and picture_name("values", 1) == "data-values-2"
    assert [short_count(v) for v in (0, 2500, 20_000, 1_500_000)] == ["0", "2,500", "20k", "1.5M"]


def test_times_are_days_unless_another_clock_ticked() -> None:
    assert span_words((978_300_000, 1_046_450_000)) == "2000-12-31 to 2003-02-28"
    assert span_words((1, 5)) == "1 to 5" and span_words(None) == ""
