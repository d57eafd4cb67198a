"""The record of a reproduction: tables, counts of verdicts, and JSON."""

from __future__ import annotations

from tests.papers.sample import PAPER

from heldout.json_codec import from_plain, to_plain
from heldout.papers.bench import PaperBench
from heldout.papers.record import ReproductionRecord, bar_place
from heldout.papers.reproduce import reproduce_paper


def test_the_record_survives_json_and_has_a_row_for_each_number_and_claim() -> None:
    paper = reproduce_paper(PAPER, [], PaperBench(data="simulated"))
    record = ReproductionRecord(papers=(paper,), simulated=True, command="heldout reproduce")
    assert to_plain(from_plain(ReproductionRecord, to_plain(record))) == to_plain(record)
    assert len(record.table) == 8 and set(record.table["experiment"]) == {"table-1", "fig-2"}
    assert len(record.claim_table) == 6
    assert (record.count("holds"), record.count("does not hold here"), record.count("cannot be tested")) == (2, 2, 2)


def test_bars_of_a_group_stand_side_by_side_around_it() -> None:
    places = [bar_place(3, number, 4) for number in range(4)]
    assert [round(place - 3, 3) for place in places] == [-0.3, -0.1, 0.1, 0.3]
