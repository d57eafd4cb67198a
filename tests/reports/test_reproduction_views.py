"""Numbers, verdicts and missing files in words, and every form says the same."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.reproduced import reproduced, without_data

from heldout.papers.record import FigureRow
from heldout.reports.reproduction_views import figure_cells, figure_columns, missing_words, sentence

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


def test_numbers_have_a_decimal_more_than_the_paper_prints() -> None:
    assert figure_cells(VALUE).texts == ("P@10", "kNN", "0.416", "0.4168", "+0.0008", "[0.4139, 0.4197]", "yes")
    count = replace(VALUE, kind="count", published=6040, decimals=0, measured=6040, difference=0, low=NAN, high=NAN)
    assert figure_cells(count).texts[2:] == ("6,040", "6,040", "0", "", "yes")
    p = replace(
        VALUE, kind="p", published=1.8e-4, measured=0.035, difference=NAN, low=0.0013, high=0.15, place="above 0 of 5"
    )
    assert figure_cells(p).texts[2:] == ("0.00018", "0.035", "", "0.0013 to 0.15", "above 0 of 5")
    assert figure_cells(replace(p, published=0)).published == "<0.001"
    lost = replace(VALUE, measured=NAN, difference=NAN, low=NAN, high=NAN, splits=0, agrees=None)
    assert figure_cells(lost).texts[3:] == ("–", "–", "", "")


def test_columns_without_a_word_are_left_out() -> None:
    assert figure_columns([figure_cells(VALUE)]) == list(range(7))
    bare = replace(VALUE, column="", low=NAN, high=NAN, splits=1, agrees=None)
    assert figure_columns([figure_cells(bare)] * 2) == [0, 2, 3, 4]


def test_the_sentence_counts_numbers_and_claims_and_leaves_other_readings_out() -> None:
    assert sentence(reproduced()) == "Of 6 claims 2 hold, 2 do not hold here and 2 cannot be tested."
    record = without_data()
    paper = record.papers[0]
    rows = (VALUE, replace(VALUE, agrees=False), replace(VALUE, agrees=False, remark="another reading"))
    counted = replace(record, papers=(replace(paper, experiments=(replace(paper.experiments[0], rows=rows),)),))
    assert sentence(counted).startswith("1 of 2 published numbers agrees with what is measured; of 3 claims 1 holds, 1 does")


def test_missing_files_are_named_with_their_layout() -> None:
    assert missing_words(without_data().experiments[1]) == ("Not run: the data folder lacks lost/*.txt. Layout: user item.")
    assert missing_words(without_data().experiments[0]) == ""
