"""Profiles of a data set in a terminal."""

from __future__ import annotations

import pytest

from heldout import read
from heldout.data.profile import profile
from heldout.reports.terminal.profiles import render_profiles
from heldout.reports.terminal.screen import printed


def test_popularity_by_mean_rating() -> None:
    # item 1: ratings 1, 1, 1 (mean 1, count 3); item 2: 5 (mean 5, count 1)
    curve = profile(read({"user": [1, 2, 3, 1], "item": [1, 1, 1, 2], "rating": [1, 1, 1, 5]})).popularity_by_rating
    assert curve is not None
    assert (curve.x, curve.y) == (pytest.approx((1.1, 4.9)), (3.0, 1.0))
    assert profile(read({"user": [1, 2], "item": [1, 2], "rating": [1, 1]})).popularity_by_rating is None


def test_sizes_of_every_step_and_drawings_of_the_last() -> None:
    """Three users rate item 1, one of them item 2 too: 4 of 6 pairs, and 3 of 4 ratings on the most popular item."""
    whole = profile(read({"user": [1, 2, 3, 1], "item": [1, 1, 1, 2], "rating": [1, 1, 1, 5]}))
    less = profile(read({"user": [1, 1], "item": [1, 2], "rating": [1, 5]}))
    steps = [("as read", whole), ("core(2)", less)]
    lines = {line[:38].strip(): line[38:].split() for line in printed(render_profiles(steps, drawn=False), 100).splitlines()}
    assert (lines["users"], lines["items"], lines["ratings"]) == (["3", "1"], ["2", "2"], ["4", "2"])
    assert lines["density"] == ["66.667%", "100%"]
    assert "Below: the ratings after core(2)." in printed(render_profiles(steps), 100)
    drawn = printed(render_profiles([("as read", whole)], width=60), 60)
    assert "Below" not in drawn
    assert "ratings by value" in drawn and "75.0%" in drawn
    assert max(map(len, drawn.splitlines())) <= 60
