"""Pictures in the page."""

from __future__ import annotations

import re

from tests.reports.kept import facts_of, outcome_of
from tests.reports.pictured import DRAWN, pictured
from tests.reports.sample import with_details

from heldout.analysis.details import Pictures
from heldout.reports.page.curves import section as curves
from heldout.reports.page.document import to_html
from heldout.reports.page.pictures import aims_section, users_section


def test_every_picture_has_its_name_words_and_numbers() -> None:
    view = pictured()
    page = users_section(view) + curves(view) + aims_section(view)
    names = re.findall(r'data-figure="([a-z-]+)"', page)
    assert names == ["user-differences", "user-activity", "precision-recall", "roc", "recommended-popularity"]
    assert "Of 1,000 users, 600 (60.0%) are better off with EASE(l2=500), by 0.2000 of nDCG@10 on average" in page
    assert "Not drawn: cold and warm users (no tested user is without training ratings)." in page
    table = page.partition("By activity of users</caption>")[2].partition("</table>")[0]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", table)
    assert cells == ["0.4000", "0.5000", "0.3000", "0.4500", "0.2000", "–"] and 'title="[0.3500, 0.4500]"' in table


def test_a_system_has_one_colour_in_all_pictures_and_bars_follow_the_leaderboard() -> None:
    view = pictured()
    page = users_section(view) + curves(view)
    for series, system in enumerate(DRAWN):
        drawn = re.findall(rf'class="series (c\d)"[^>]*><title>{re.escape(system)}</title>', page)
        assert set(drawn) == {f"c{series}"}
    bars = re.findall(r"<title>([^<]+), head", aims_section(view))
    assert bars == [DRAWN[0], DRAWN[1], "catalogue"]


def test_without_what_they_need_there_are_no_pictures() -> None:
    view = with_details(pictured(), pictures=Pictures())
    assert users_section(view) == curves(view) == aims_section(view) == ""


def test_pictures_of_real_values_are_in_the_page() -> None:
    page = to_html(facts_of(outcome_of(), metrics="P@10", tests=["t"]))
    assert 'data-figure="user-differences"' in page and 'data-figure="user-activity"' in page
    assert 'href="#users-items"' in page and 'href="#aims"' not in page
