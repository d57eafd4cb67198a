"""Protocols compared with the truth as a document: its answer, tables and figures."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from rich.cells import cell_len
from tests.reports.truth_rows import NAN, ROWS, estimator, findings

from heldout.biases.truth.findings import TruthPair
from heldout.reports import truth
from heldout.reports.document import Layout, Table
from heldout.reports.render import terminal
from heldout.reports.render.screen import printed


def _table(name: str, pairs: tuple[TruthPair, ...] = ()) -> Table:
    table = truth.tables(replace(findings(), pairs=pairs))[name]()
    assert table is not None
    return table


PAIR = TruthPair(
    metric="P@5",
    better="A",
    worse="B",
    difference=0.1,
    error=0.02,
    judged=True,
    plain=0.7,
    best="P1R by P@5",
    best_right=0.9,
)


def test_the_document_says_everything() -> None:
    document = truth.document(replace(findings(), pairs=(PAIR,), left_out=("x: y",)), title="Worlds")
    assert document.answer == "AI-AR and 1 other protocol are right about equally often."  # 1R: 0.8, AI-AR: 0.9 ± 0.1
    assert document.facts == ("simulate", "3 systems (3 pairs)", "20 redrawn worlds", "50 users", "5 estimators")
    assert [section.id for section in document.sections] == ["right", "bias", "estimators", "pairs"]
    assert document.notices[-1].text.plain == "x: y." and truth.NOT_TRUSTED in {n.text.plain for n in document.notices}
    assert [section.id for section in truth.document(findings((ROWS[1],)), title="").sections] == ["right", "estimators"]


def test_each_protocol_is_listed_once_by_the_metric_with_which_it_was_right_most_often() -> None:
    table = _table("protocols")
    assert [tuple(row[:3]) for row in table.rows[:3]] == [("AI-AR", "P@5", 0.9), ("1R", "P@5", 0.8), ("P1R", "P@5", 0.3)]
    assert table.rows[3][0] == "UAR" and math.isnan(table.rows[3][2])
    assert table.strong == frozenset() and "Type S: sign error" in table.caption
    assert "P1R: one relevant, within popularity percentiles" in table.caption


def test_all_protocols_have_all_figures() -> None:
    table = _table("all-protocols")
    cells = dict(zip((column.name for column in table.columns), table.rows[0], strict=True))
    assert len(table.rows) == len(ROWS)
    assert (cells["Bias"], cells["SE"], cells["RMSE"], cells["Truth"]) == (-0.2, 0.02, 0.2, 0.4)
    assert cells["Ordered rightly"] == 0.9 and cells["95% interval"] == (ROWS[0].right_low, ROWS[0].right_high)
    assert (cells["Significant"], cells["Type S"], cells["Users"]) == (0.5, 0.0, 40) and math.isnan(cells["Type M"])
    texts = [column.text(value, 0) for column, value in zip(table.columns, table.rows[0], strict=True)]
    assert texts[3] == "80.0%–100%" and texts[-1] == "–"
    assert "Type M: magnitude error" in table.caption and "p < 0.05" in table.caption


def test_pairs_that_the_truth_does_not_separate_have_no_estimator() -> None:
    table = _table("pairs", (PAIR, replace(PAIR, judged=False)))
    assert table.values("Best estimator") == ["P1R by P@5", "not separated by the truth"]
    assert tuple(table.rows[0][:7]) == ("A", "B", "P@5", 0.1, 0.02, 0.7, 0.9)


def test_dots_say_whether_a_protocol_is_right_more_often_than_chance() -> None:
    rows = (ROWS[0], estimator("1R", 0.55), ROWS[3], ROWS[4])
    chart = truth.charts(findings(rows))["right"]()
    assert chart is not None
    values = chart.spec(Layout())["data"]["values"]
    assert [(v["protocol"], v["at"], v["verdict"]) for v in values] == [
        ("AI-AR", 0.9, "Above chance"),
        ("1R", 0.55, "Not distinguishable from chance"),
        ("P1R", 0.3, "Below chance"),
    ]  # UAR was not judged
    assert truth.charts(findings((ROWS[4],)))["right"]() is None


def test_only_estimators_on_the_scale_of_the_truth_are_drawn_by_bias() -> None:
    rows = (replace(ROWS[0], bias_low=-0.3, bias_high=-0.1), replace(ROWS[2], bias_low=-0.01, bias_high=0.02), ROWS[1])
    chart = truth.charts(findings(rows))["bias"]()
    assert chart is not None
    plain, recall = chart.spec(Layout())["data"]["values"]
    assert plain["metric"] == "P@5"
    assert [plain[place] for place in ("x", "y", "low", "high")] == pytest.approx([0.5, 0.05, 0.25, 0.75])  # shares of 0.4
    assert [recall[place] for place in ("x", "low", "high")] == pytest.approx([0.001, 0.001, 0.2])  # drawn at the smallest
    alone = estimator("AI-AR", 0.9, right_low=NAN, right_high=NAN, bias=0.0, error=0.0, rmse=0.0, truth=0.4)
    single = truth.charts(findings((alone,)))["bias"]()
    assert single is not None and single.spec(Layout())["data"]["values"][0]["low"] is None
    assert truth.charts(findings((ROWS[1],)))["bias"]() is None


def test_estimands_are_sentences() -> None:
    document = truth.document(findings(), title="")
    section = next(section for section in document.appendix if section.id == "estimands")
    texts = [text.plain for _, texts in section.blocks[0].entries for text in texts]  # type: ignore[union-attr]
    assert len(texts) == 4 and all(text[0].isupper() and text.endswith(".") for text in texts)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_terminal_begins_with_the_answer_and_has_how_often_protocols_are_right_at_every_width(width: int) -> None:
    document = truth.document(findings(), title="Worlds")
    text = printed(terminal.document(document), width)
    assert max(cell_len(line.rstrip()) for line in text.splitlines()) <= width
    flat = " ".join(text.split())
    table = flat.partition(document.numbers[-1].plain)[2]
    assert flat.index(document.answer) < flat.index(document.numbers[0].plain) < flat.index(truth.NOT_TRUSTED)
    assert all(words in table for words in ("Ordered rightly", "90.0%", "30.0%", "AI-AR", "P1R"))
