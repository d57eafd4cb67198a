"""The overview on the page."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.sample import SYSTEMS, facts

from heldout.analysis.overview import overview
from heldout.reports.page.overview import section
from heldout.words import number


def test_every_number_stands_there_with_what_it_sorts_by() -> None:
    page = section(facts())
    for column in overview(facts()).columns:
        for value in column.values:
            if value is not None:
                assert f'<data value="{value!r}">' in page
                assert column.form == "percent" or f">{number(value, 4)}<" in page or f">{number(value, 3)}<" in page


def test_the_best_is_marked_by_a_sign_and_letters_stand_beside() -> None:
    page = section(facts())
    assert page.count("★") == 4 + 1  # four metrics, and the note that explains it
    assert "<b>0.4682</b></data><sup>a</sup>" in page
    assert "(lower is better)" in page


def test_one_system_needs_no_overview() -> None:
    sample = facts()
    alone = replace(
        sample, systems=SYSTEMS[:1], leaderboard=tuple(row for row in sample.leaderboard if row.system == SYSTEMS[0])
    )
    assert section(alone) == ""
