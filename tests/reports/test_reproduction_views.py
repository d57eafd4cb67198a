"""Numbers, verdicts and missing files in words, and every form says the same."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.reproduced import reproduced, without_data

from heldout.papers.findings import FigureRow
from heldout.papers.sentences import missing_words, reproduction_sentence, uncounted_sentence
from heldout.reports.reproduction_views import figure_cells, figure_columns

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
    assert figure_cells(VALUE).texts == ("P@10", "kNN", "0.416", "0.4168", "+0.0008", "[0.4139, 0.4197]", "yes", "")
    count = replace(VALUE, kind="count", published=6040, decimals=0, measured=6040, difference=0, low=NAN, high=NAN)
    assert figure_cells(replace(count, standing="size")).texts[2:] == ("6,040", "6,040", "0", "", "yes", "")
    p = replace(
        VALUE, kind="p", published=1.8e-4, measured=0.035, difference=NAN, low=0.0013, high=0.15, place="above 0 of 5"
    )
    assert figure_cells(p).texts[2:] == ("0.00018", "0.035", "", "0.0013 to 0.15", "above 0 of 5", "")
    assert figure_cells(replace(p, published=0)).published == "<0.001"
    lost = replace(VALUE, measured=NAN, difference=NAN, low=NAN, high=NAN, splits=0, agrees=None)
    assert figure_cells(lost).texts[3:] == ("–", "–", "", "cannot be tested", "")
    assert figure_cells(replace(p, splits=0)).agrees == "cannot be tested"
    assert figure_cells(replace(VALUE, remark="λ chosen here")).texts[-1] == "λ chosen here"


def test_columns_without_a_word_are_left_out() -> None:
    assert figure_columns([figure_cells(VALUE)]) == list(range(7))
    assert figure_columns([figure_cells(replace(VALUE, remark="λ chosen here"))]) == list(range(8))
    bare = replace(VALUE, column="", low=NAN, high=NAN, splits=1, agrees=None)
    assert figure_columns([figure_cells(bare)] * 2) == [0, 2, 3, 4]


def test_the_sentence_counts_numbers_and_claims_and_leaves_other_readings_out() -> None:
    assert reproduction_sentence(reproduced()) == "Of 6 claims 2 hold, 2 do not hold here and 2 cannot be tested."
    record = without_data()
    paper = record.papers[0]
    rows = (VALUE, replace(VALUE, agrees=False), replace(VALUE, agrees=False, standing="reading"))
    counted = replace(record, papers=(replace(paper, experiments=(replace(paper.experiments[0], rows=rows),)),))
    assert reproduction_sentence(counted).startswith(
        "1 of 2 published numbers agrees with what is measured; of 3 claims 1 holds, 1 does"
    )


def test_fitted_numbers_sizes_and_extensions_are_counted_apart_and_what_is_not_counted_is_said() -> None:
    record = without_data()
    paper = record.papers[0]
    fitted, size = (replace(VALUE, standing=standing) for standing in ("fitted", "size"))
    p = replace(VALUE, kind="p", published=0.039, low=0.2, high=0.7, agrees=None)
    single = replace(VALUE, agrees=None, splits=1, low=NAN, high=NAN)
    lost = replace(single, splits=0)
    rows = (VALUE, replace(fitted, agrees=False), size, size, p, replace(p, published=0.4), single, lost)
    rows += (replace(VALUE, standing="reading"), replace(VALUE, same="a"), replace(VALUE, same="a"))
    first = replace(paper.experiments[0], rows=rows, extension=True)
    counted = replace(record, papers=(replace(paper, experiments=(first,)),))
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


def test_missing_files_are_named() -> None:
    assert missing_words(without_data().experiments[1]) == (
        "Not run: the data folder lacks lost/*.txt. heldout reproduce lists what lines of it hold."
    )
    assert missing_words(without_data().experiments[0]) == ""
