"""The top of the page: who leads, by how much, how sure, and whether it holds."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.sample import facts

from heldout.analysis.findings import Findings
from heldout.reports.page.verdict import verdict


def tiles(sample: Findings) -> dict[str, str]:
    parts = verdict(sample).split("<dt>")[1:]
    return {part.partition("</dt>")[0]: part.partition('class="big">')[2].partition("</dd>")[0] for part in parts}


def test_four_tiles() -> None:
    assert tiles(facts()) == {
        "Who leads": "EASE<wbr>(l2=500)",
        "By how much": "+0.0129",
        "How sure": "p &lt; 0.001",
        "Does it hold?": "4 of 8",
    }


def test_a_winner_that_is_not_called_has_no_margin_and_no_p() -> None:
    sample = facts()
    rows = tuple(replace(row, refused="serves few", remark="few users served") for row in sample.verdict.rows)
    uncalled = replace(sample, verdict=replace(sample.verdict, rows=rows))
    assert tiles(uncalled) == {"Who leads": "no winner is called", "Does it hold?": "not called"}


def test_a_tie_is_led_by_nobody() -> None:
    sample = facts()
    rows = (replace(sample.verdict.rows[0], difference=0.0), *sample.verdict.rows[1:])
    assert tiles(replace(sample, verdict=replace(sample.verdict, rows=rows)))["Who leads"] == "a tie"


def test_of_one_setting_there_is_nothing_to_hold() -> None:
    sample = facts()
    single = replace(sample, verdict=replace(sample.verdict, rows=sample.verdict.rows[:1]))
    assert "Does it hold?" not in tiles(single)
