"""Biases as a document: its answer, tables and figures by name, from findings of a small study."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.biases.sample import small_findings
from tests.refusals import refused

from heldout.biases.findings import BiasFindings
from heldout.errors import UnknownNameError
from heldout.reports import biases, protocol
from heldout.reports.document import Layout, Table, Text


def _table(name: str, findings: BiasFindings | None = None) -> Table:
    table = biases.tables(findings or small_findings())[name]()
    assert table is not None
    return table


def _all_significant(findings: BiasFindings, *, significant: bool) -> BiasFindings:
    pairs = tuple(replace(pair, significant=significant) for pair in findings.effects.pairs)
    return replace(findings, effects=replace(findings.effects, pairs=pairs))


def test_the_document_says_everything_once() -> None:
    document = biases.document(small_findings(), title="Films")
    assert 0 < len(document.answer.split()) <= 12 and document.answer.endswith(".")
    assert [text.plain for text in document.numbers] == list(small_findings().sentences[:2])
    assert [section.id for section in document.sections] == ["protocols", "pairs", "expected", "sweeps", "drift"]
    assert document.facts == ("4 systems", "89 users", "13 protocols") and document.systems == small_findings().systems
    sentences = [*small_findings().limits, *small_findings().sentences]
    said = [notice.text.plain for notice in document.notices]
    said += [text.plain for text in document.numbers]
    said += [text.plain for block in document.blocks() for text in getattr(block, "items", ()) if isinstance(text, Text)]
    assert all(said.count(sentence) == 1 for sentence in sentences if not sentence.startswith("HO"))


def test_sections_without_content_are_left_out() -> None:
    document = biases.document(replace(small_findings(), curves=(), expectations=()), title="Films")
    assert [section.id for section in document.sections] == ["protocols", "pairs", "drift"]
    assert "sweep-values" not in {section.id for section in document.appendix}


def test_abbreviations_are_spelt_out_where_protocols_are_first_named() -> None:
    document = biases.document(small_findings(), title="Films")
    assert "AI-AR (all items, all relevant)" in document.numbers[0].plain
    for name in ("AR: all relevant", "1R: one relevant", "U1R: one relevant, uniform test set", "bpref: binary preference"):
        assert name in _table("protocols").caption


def test_percentages_and_multiples_stand_out_unless_in_brackets() -> None:
    text = protocol.emphasised("A leads by +4% (+0.0084, 95% CI 1 to 2) and has 17 × random, −3.5% of 10 pairs.")
    assert [span.text for span in text.spans if span.style == "strong"] == ["+4%", "17 ×", "−3.5%"]


def test_limits_with_a_code_are_notices_with_a_title() -> None:
    notices = protocol.caveats(["HO210 Ids decide classes: P1R takes ids.", "No code."], ["a: b", "c"], None)
    assert [(n.code, n.title, n.text.plain) for n in notices] == [
        ("HO210", "Ids decide classes", "P1R takes ids."),
        ("", "", "No code."),
        ("", "Left out", "a: b; c."),
    ]


def test_protocols_have_a_value_of_every_system() -> None:
    findings, table = small_findings(), _table("protocols")
    names = [column.name for column in table.columns]
    assert names == ["Protocol", *findings.systems, "Popularity ÷ random", "τ"]
    values = {(v.protocol, v.metric, v.system): v.value for v in findings.effects.values}
    metrics = {line.effect.protocol: line.effect.metric for line in biases.protocol_lines(findings)}
    assert len(table.rows) == len(metrics) == 13
    assert metrics["P1R"] == "nDCG@5" and metrics["bpref"] == "bpref(count=all)"
    for row in table.rows:
        cells = dict(zip(names, row, strict=True))
        own = metrics[cells["Protocol"]]
        assert all(cells[system] == values[cells["Protocol"], own, system] for system in findings.systems)
        assert math.isnan(cells["Popularity ÷ random"]) == (own not in ("nDCG@5", "P@5"))


def test_only_a_system_that_differs_significantly_from_all_others_is_bold() -> None:
    assert _table("protocols", _all_significant(small_findings(), significant=False)).strong == frozenset()
    table = _table("protocols", _all_significant(small_findings(), significant=True))
    assert len(table.strong) == len(table.rows)
    one = next(column for row, column in table.strong if row == 0)
    assert table.rows[0][[column.name for column in table.columns].index(one)] == max(table.rows[0][1:5])


def test_changes_are_pairs_by_their_short_names() -> None:
    findings = small_findings()
    effects = tuple(
        replace(
            effect,
            reversed=(("ItemKNN(k=10)", "Popularity"), ("ItemKNN(k=10)", "Random")),
            overturned=(("ItemKNN(k=10)", "Random"),),
            lost=(),
        )
        for effect in findings.effects.protocols
    )
    table = _table("changes", replace(findings, effects=replace(findings.effects, protocols=effects)))
    assert set(table.values("Pairs that turn round")) == {"ItemKNN over Popularity; ItemKNN over Random*"}
    assert set(table.values("Pairs that lose significance")) == {"none"}
    assert findings.effects.reference not in table.values("Protocol")


def test_differences_are_those_of_pairs_and_significant_ones_bold() -> None:
    findings, table = small_findings(), _table("differences")
    pairs = {
        (p.a.partition("(")[0], p.b.partition("(")[0], p.protocol): p
        for p in findings.effects.pairs
        if p.metric == findings.metric
    }
    assert len(table.rows) == 6  # four systems
    for k, row in enumerate(table.rows):
        a, b = row[0].split(" − ")
        for column, value in zip(table.columns[1:], row[1:], strict=True):
            assert value == pairs[a, b, column.name].difference
            assert ((k, column.name) in table.strong) == pairs[a, b, column.name].significant


def test_expectations_are_of_random_and_popularity_and_then_of_the_others() -> None:
    findings, table = small_findings(), _table("expected")
    assert set(table.values("System")) == {"Random", "Popularity"}
    one = next(row for row in table.rows if row[:2] == ("1R", "Random"))
    assert one[2] == pytest.approx(0.1) and one[3] == "1/t (eq. 5)"  # one of ten items
    assert one[4][0] < one[6] and one[7][0] < one[6] < one[7][1]
    others = _table("expected-of-systems")
    assert set(others.values("System")) == {"ItemKNN(k=10)", "UserKNN(k=20)"}
    assert "Formula" not in [column.name for column in others.columns]
    assert len(table.rows) + len(others.rows) <= len(findings.expectations)


def test_sweeps_have_a_row_for_each_point() -> None:
    findings, table = small_findings(), _table("sweeps")
    points = {(p.protocol, p.x, p.system, p.value) for p in findings.curves if p.system in findings.systems}
    rows = [(row[2], row[1], row[3], row[4]) for row in table.rows]
    assert set(rows) == points and len(rows) == len([p for p in findings.curves if p.system in findings.systems])


def test_what_is_not_known_of_popularity_is_not_there() -> None:
    findings = small_findings()
    bare = replace(findings, drift=replace(findings.drift, exposure=None, repeated=math.nan, periods=()))
    assert not any("Liked" in measure or "Rows" in measure for measure in _table("popularity", bare).values("Measure"))
    assert biases.tables(bare)["drift"]() is None


def test_figures_of_sweeps_have_the_protocols_that_were_measured() -> None:
    findings, charts = small_findings(), biases.charts(small_findings())
    assert list(charts) == ["protocols", "expected", "removed", "lists", "classes", "head", "uniform", "skew"]
    both, one = charts["removed"](), charts["removed"](protocol="1R")
    assert both is not None and one is not None and (both.half, one.half) == (False, True)
    for chart, protocols in ((both, {"AR", "1R"}), (one, {"1R"})):
        drawn = {(r["protocol"], r["system"], r["x"], r["at"]) for r in chart.spec(Layout())["data"]["values"]}
        points = {
            (p.protocol, p.system, p.x, p.value) for p in findings.curves if p.sweep == "removed" and p.protocol in protocols
        }
        assert drawn == points
    with refused(UnknownNameError, where="figure", found="P1R"):
        charts["removed"](protocol="P1R")
    assert biases.charts(replace(findings, curves=()))["removed"]() is None


@pytest.mark.parametrize("name", ["protocols", "expected", *biases.SWEEPS])
def test_every_chart_names_a_table_with_its_numbers(name: str) -> None:
    chart = biases.charts(small_findings())[name]()
    assert chart is not None and biases.tables(small_findings())[chart.table]() is not None


def test_reasons_that_differ_in_numbers_only_are_one() -> None:
    texts = ["lists at 400: at most 200, found 399", "P1R: none", "lists at 600: at most 200, found 599"]
    assert protocol.merged(texts) == ["lists at 400 and 600: at most 200, found 399 and 599", "P1R: none"]
