"""Papers run again as documents: numbers, verdicts and missing files, the same in every form."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.papers.reproduced import looked_into, reproduced, without_data

from heldout.analysis.choices import ProtocolFacts
from heldout.papers.findings import FigureRow, ReproductionFindings
from heldout.papers.report import answer, document, experiments_table, numbers_table, protocol_tables, tables
from heldout.papers.sentences import missing_words, reproduction_sentence, uncounted_sentence
from heldout.reports.document import Chart, Listing, Table, Text
from heldout.reports.experiments import listing
from heldout.reports.render import frames, markdown, terminal
from heldout.reports.render.screen import printed

NAN = float("nan")
VALUE = FigureRow(
    row="P@10",
    column="kNN",
    kind="value",
    published=0.416,
    decimals=3,
    measured=0.41681,
    difference=0.00081,
    low=0.4139,
    high=0.4197,
    splits=5,
    agrees=True,
)
P = replace(VALUE, kind="p", published=1.8e-4, measured=0.035, difference=NAN, low=1.3e-9, high=0.15, place="above 0 of 5")


def with_rows(*rows: FigureRow, extension: bool = False) -> ReproductionFindings:
    """The record without data, whose first experiment has these numbers and is the only one."""
    record = without_data()
    first = replace(record.papers[0].experiments[0], rows=rows, extension=extension)
    return replace(record, papers=(replace(record.papers[0], experiments=(first,)),))


def cells(*rows: FigureRow) -> list[list[str]]:
    """The numbers of an experiment as people read them."""
    table = numbers_table(with_rows(*rows).experiments[0])
    assert table is not None
    return [
        [column.text(value, k) for column, value in zip(table.columns, row, strict=True)] for k, row in enumerate(table.rows)
    ]


def test_numbers_have_a_decimal_more_than_the_paper_prints() -> None:
    (row,) = cells(VALUE)
    assert row == ["P@10", "kNN", "0.416", "0.4168", "+0.0008", "0.4139–0.4197", "yes", "–"]
    size = replace(VALUE, kind="count", published=6040, decimals=0, measured=6040, difference=0, low=NAN, high=NAN)
    assert cells(replace(size, standing="size"))[0][2:7] == ["6,040", "6,040", "0", "–", "yes"]
    lost = replace(VALUE, measured=NAN, difference=NAN, low=NAN, high=NAN, splits=0, agrees=None)
    assert cells(lost)[0][3:7] == ["–", "–", "–", "cannot be tested"]
    assert cells(replace(VALUE, remark="λ chosen here"))[0][-1] == "λ chosen here"


def test_p_values_among_them_have_four_significant_figures() -> None:
    _, row, untested = cells(VALUE, P, replace(P, splits=0))
    assert row[2:7] == ["0.00018", "0.035", "–", "1.3e−09 to 0.15", "above 0 of 5"] and untested[6] == "cannot be tested"
    table = numbers_table(with_rows(VALUE, P).experiments[0])
    assert table is not None
    frame = frames.frame(table)
    assert frame.columns[2:7] == ["published", "measured", "difference", "over splits low", "over splits high"]
    assert frame["published"].to_list() == [0.416, 1.8e-4] and frame["over splits low"].to_list() == [0.4139, 1.3e-9]


def test_the_sentence_counts_numbers_and_claims_and_leaves_other_readings_out() -> None:
    assert reproduction_sentence(reproduced()) == "Of 6 claims 2 hold, 2 do not hold here and 2 cannot be tested."
    assert answer(reproduced()) == "On simulated data, 2 of 4 claims hold."
    record = with_rows(VALUE, replace(VALUE, agrees=False), replace(VALUE, agrees=False, standing="reading"))
    assert reproduction_sentence(record).startswith(
        "1 of 2 published numbers agrees with what is measured; of 3 claims 1 holds, 1 does"
    )
    assert answer(record) == "1 of 2 published numbers agrees and 1 of 2 claims holds."
    assert answer(replace(record, papers=())) == "Nothing could be compared."


def test_fitted_numbers_sizes_and_extensions_are_counted_apart_and_what_is_not_counted_is_said() -> None:
    fitted, size = (replace(VALUE, standing=standing) for standing in ("fitted", "size"))
    p = replace(VALUE, kind="p", published=0.039, low=0.2, high=0.7, agrees=None)
    single = replace(VALUE, agrees=None, splits=1, low=NAN, high=NAN)
    lost = replace(single, splits=0)
    rows = (VALUE, replace(fitted, agrees=False), size, size, p, replace(p, published=0.4), single, lost)
    rows += (replace(VALUE, standing="reading"), replace(VALUE, same="a"), replace(VALUE, same="a"))
    counted = with_rows(*rows, extension=True)
    assert reproduction_sentence(counted) == (
        "2 of 3 published numbers agree with what is measured (0 of 1 where a parameter was fitted to published ones); "
        "so do 2 of 2 sizes of data; of 3 claims on other data or systems than the papers’ 1 holds, 1 does not hold "
        "here and 1 cannot be tested."
    )
    assert uncounted_sentence(counted) == (
        "Each published number is counted once. Not counted: 2 p-values, of which 1 lies among those of the splits; "
        "1 number of one split, where chance cannot be told; 1 number whose data are not here; 1 row of other readings "
        "than the papers’ words."
    )
    assert uncounted_sentence(reproduced()) == ""
    assert reproduction_sentence(with_rows(size, size)).startswith("2 of 2 sizes of data agree; of 3 claims")


def test_missing_files_are_named() -> None:
    assert missing_words(without_data().experiments[1]) == (
        "Not run: the data folder lacks lost/*.txt. heldout reproduce lists what lines of it hold."
    )
    assert missing_words(without_data().experiments[0]) == ""


def test_experiments_are_counted_in_one_table() -> None:
    table = experiments_table(with_rows(VALUE, replace(VALUE, agrees=False), P))
    assert table is not None
    (row,) = table.rows
    assert row == ("table-1", "Sample 2000", 3, 2, 2, 1, 1, "Popularity <&> Random")


def test_a_section_for_every_experiment_below_that_of_its_paper() -> None:
    shown = document(without_data())
    assert [(section.id, section.level) for section in shown.sections] == [
        ("experiments", 1),
        ("reading", 1),
        ("sample-2000", 1),
        ("sample-2000-table-1", 2),
        ("sample-2000-fig-2", 2),
    ]
    assert shown.main is not None and shown.main.name == "experiments"
    first, lost = shown.sections[3:5]
    assert [type(block) for block in first.blocks] == [Text, Chart, Table, Table, Listing]
    assert any(isinstance(block, Text) and block.plain.startswith("Not run: ") for block in lost.blocks)
    assert set(shown.tables()) >= {"experiments", "sample-2000-table-1", "sample-2000-table-1-claims"}
    alone = document(
        replace(without_data(), papers=(replace(without_data().papers[0], experiments=(without_data().experiments[0],)),))
    )
    assert alone.main is not None and alone.main.name == "sample-2000-table-1"


def test_what_does_not_hold_leads_to_its_reasons() -> None:
    """The number has two causes, the claim the second of them: they are numbered in the order of the tables."""
    own = tables(looked_into())
    numbers, claims = (own[name]() for name in ("sample-2000-table-1", "sample-2000-table-1-claims"))
    assert numbers is not None and claims is not None
    assert numbers.values("agrees")[1] == "no (1, 2)"
    assert claims.values("Here") == ["✓ holds", "✗ does not hold here (2)", "? cannot be tested"]
    shown = document(looked_into())
    section = next(section for section in shown.sections if section.id == "sample-2000-table-1")
    notes = next(block for block in section.blocks if isinstance(block, Listing))
    assert [text.plain[:24] for text in notes.items] == [
        "(1) The data are others.",
        "(2) Chance is ruled out ",
        "A note on table-1.",
    ]


def test_captions_are_only_outside_the_document_which_says_once_how_to_read() -> None:
    table = tables(reproduced())["sample-2000-table-1"]()
    assert table is not None and "Measured is the mean over splits" in table.caption
    text = markdown.document(document(reproduced()))
    assert text.count("Measured is the mean over splits") == 1 and text.count("Simulated data replace") == 1


@pytest.mark.parametrize("width", [60, 100])
def test_the_terminal_has_the_answer_first_and_everything_on_demand(width: int) -> None:
    brief, full = (printed(terminal.document(document(reproduced()), full=full), width) for full in (False, True))
    assert brief.index("On simulated data, 2 of 4 claims hold.") < brief.index("Experiment ") and "wins”" not in brief
    assert "fig-2" in brief and "“Popularity" in full and "Compares two systems (" in full
    assert max(len(line.rstrip()) for line in full.splitlines()) <= width


def test_markdown_has_the_figures_whose_files_are_named() -> None:
    text = markdown.document(document(reproduced()), {"sample-2000/fig-2": "page/fig-2.svg"})
    lines = text.splitlines()
    assert "## Sample 2000" in lines and any(
        line.startswith("### fig-2: Popularity \\<&> Random (simulate(") for line in lines
    )
    assert lines.count("#### Claims") == 2 and text.count("](page/fig-2.svg)") == text.count("![") == 1


def test_papers_are_listed_with_the_data_they_need() -> None:
    row: dict[str, Any] = {
        "paper": "a-2000",
        "name": "A 2000",
        "experiment": "fig-1",
        "title": "T",
        "needs": "ml",
        "data": "D",
    }
    row |= {"files": ["x.csv"], "layout": "user,item", "minutes": 0.1, "numbers": 2, "claims": 0, "missing": None}
    papers, data = listing([row])
    assert papers.title == "a-2000: A 2000" and list(papers.rows) == [("fig-1", "ml", 2, 0, "6 s", "T")]
    assert list(data.rows) == [("ml", "D", "x.csv", "user,item")]
    here, _ = listing([row | {"missing": ["x.csv"]}])
    assert here.values("Here") == ["no"]


def test_the_protocols_of_papers_are_tables_too() -> None:
    facts = ProtocolFacts(choices=(), cards=(), references={}, manifest={"seed": 1})
    own = protocol_tables(facts)
    assert own["manifest"]() is not None and own["choices"]() is None and own["profile"]() is None
    assert [section.id for section in document(reproduced(), facts).appendix] == ["manifest", "command"]
