"""Ranges of parameters, as they are declared and told."""

from __future__ import annotations

from heldout.recommenders.ranges import Among, Between, among, between


def test_whole_numbers_only_where_both_ends_are_whole() -> None:
    assert between(1, 5).whole and not between(1, 5.0).whole and not between(0.5, 2).whole
    assert between(1, 5) == Between(1, 5) and between(1, 5, log=True) != between(1, 5)


def test_ranges_in_words() -> None:
    assert str(between(10, 200, log=True)) == "10…200 (log)" and str(between(0.001, 10)) == "0.001…10"
    assert str(among("cosine", 2, None)) == "cosine, 2, None" and among(1, 2) == Among((1, 2))
