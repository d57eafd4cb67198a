"""The record of a reproduction: tables, counts of verdicts, and JSON."""

from __future__ import annotations

from dataclasses import replace

from tests.papers.sample import PAPER

from heldout.papers.analysis import paper_findings
from heldout.papers.bench import PaperBench
from heldout.papers.findings import ReproductionFindings, bar_place
from heldout.papers.sentences import VERDICTS
from heldout.storage.codec import from_plain, to_plain


def test_the_record_survives_json_and_has_a_row_for_each_number_and_claim() -> None:
    paper = paper_findings(PAPER, [], PaperBench(data="simulated"))
    record = ReproductionFindings(papers=(paper,), simulated=True, command="heldout reproduce")
    assert to_plain(from_plain(ReproductionFindings, to_plain(record))) == to_plain(record)
    assert len(record.table) == 8 and set(record.table["experiment"]) == {"table-1", "fig-2"}
    assert len(record.claim_table) == 6
    assert [record.count(verdict, extension=False) for verdict in VERDICTS] == [2, 2, 2]
    extended = replace(record, papers=(replace(paper, experiments=(replace(paper.experiments[0], extension=True),)),))
    assert [extended.count(verdict, extension=True) for verdict in VERDICTS] == [1, 1, 1]
    assert [extended.count(verdict, extension=False) for verdict in VERDICTS] == [0, 0, 0]


def test_each_published_number_is_counted_once_and_other_readings_are_not() -> None:
    paper = paper_findings(PAPER, ["table-1"], PaperBench(data="simulated"))
    (experiment,) = paper.experiments
    first, second, p, other = experiment.rows
    again = replace(first, published=0.7)
    rows = (replace(first, same="a"), replace(again, same="a"), second, second, p, other)
    printed = replace(paper, experiments=(replace(experiment, rows=rows),))
    record = ReproductionFindings(papers=(printed,), simulated=True, command="heldout reproduce")
    assert other.standing == "reading"
    assert record.numbers == [rows[0], second, second, p]


def test_bars_of_a_group_stand_side_by_side_around_it() -> None:
    places = [bar_place(3, number, 4) for number in range(4)]
    assert [round(place - 3, 3) for place in places] == [-0.3, -0.1, 0.1, 0.3]
