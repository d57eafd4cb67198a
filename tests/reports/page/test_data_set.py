"""A data set on the page."""

from __future__ import annotations

import re

from tests.reports.sample import facts

import heldout as ho
from heldout.reports.page.data_set import numbers, pictures
from heldout.reports.profile_views import data_facts

RATINGS = {"user": ["a", "a", "a", "b"], "item": ["x", "y", "z", "x"], "rating": [5, 3, 4, 5]}


def test_numbers_and_pictures_of_each_step() -> None:
    own = data_facts(ho.profile(RATINGS, ["min_ratings(user=2)"]).findings)
    table = numbers(own, "<films>")
    assert "Profile of &lt;films&gt;" in table and ">4<" in table and ">3<" in table and "Time span" not in table
    drawn = pictures(own)
    assert drawn.count("<figure") == drawn.count('role="img"') == 6
    assert len(re.findall(r'<rect[^>]*class="bar before"', drawn)) > 3
    assert drawn.count('class="legend"') == 3  # bars of two steps; lines have their key in the drawing


def test_no_line_ends_within_a_date() -> None:
    timed = {**RATINGS, "timestamp": [881_250_949, 881_250_949, 881_350_949, 881_300_000]}
    table = numbers(data_facts(ho.profile(timed).findings), "films")
    assert '<span class="nowrap">1997-12-04</span> to <span class="nowrap">1997-12-05</span>' in table


def test_a_second_data_set_has_names_of_its_own() -> None:
    [own] = facts().data[:1]
    assert 'data-figure="data-values"' in pictures(own) and 'data-figure="data-values-2"' in pictures(own, 1)


def test_days_of_a_time_span_are_not_broken() -> None:
    timed = {**RATINGS, "time": [874_724_710 + 86_400 * day for day in range(4)]}
    table = numbers(data_facts(ho.profile(timed).findings), "films")
    assert '<span class="nowrap">1997-09-20</span> to <span class="nowrap">1997-09-23</span>' in table
