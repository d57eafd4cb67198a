"""Reports on the quality of metrics: tables, figures and the document."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from tests.metric_quality.sample import small_trial
from tests.refusals import refused
from tests.reports.every_kind import results_of
from tests.reports.metric_trial import NAN, trial

from heldout.errors import SpecError, UnknownNameError
from heldout.metric_quality.findings import CRITERIA, MetaFindings, MetricFindings, MetricRow
from heldout.reports import metric_quality
from heldout.reports.document import Chart, Document, Table, Terms
from heldout.reports.metric_quality import FIGURES
from heldout.reports.metric_quality_tables import CRITERIA_WORDS, rule_words


def findings(*trials: MetricFindings) -> MetaFindings:
    return MetaFindings(trials=trials or (trial(),))


def two() -> MetaFindings:
    protocol = {**trial().protocol, "target": "TestRatings(k=1)"}
    return findings(trial(), trial(protocol=protocol, users=500))


def table(name: str, of: MetaFindings | None = None) -> Table:
    source = metric_quality.tables(of or findings())[name]()
    assert source is not None
    return source


def chart(name: str, of: MetaFindings | None = None, **options: Any) -> Chart:
    figures = metric_quality.charts(of or findings())[name](**options)
    assert figures is not None
    return figures


def document(of: MetaFindings | None = None) -> Document:
    return metric_quality.document(of or findings(), title="Films & <books>")


def row(name: str, metric: str) -> dict[str, Any]:
    source = table(name)
    return next(dict(zip((c.name for c in source.columns), own, strict=True)) for own in source.rows if own[0] == metric)


def text(of: MetricRow, column: str) -> str:
    """What people read in the table of all metrics."""
    source = table("metrics", findings(trial(rows=(of,))))
    place = [c.name for c in source.columns].index(column)
    return source.columns[place].text(source.rows[0][place], 0)


def test_every_metric_has_its_raw_figures() -> None:
    best = row("metrics", "nDCG@10")
    assert (best["DP"], best["Mean p"], best["Mean p error"]) == (pytest.approx(0.12), 0.02, 0.01)
    assert (best["τ, ratings missing"], best["τ ≥ 0.95 down to"], best["Eρ²"]) == (0.97, 0.05, 0.999)
    assert (best["Users for 5% swaps"], best["Users for 5% swaps mark"]) == (800, "a")
    assert row("metrics", "P@5")["Users for 5% swaps mark"] == "e"
    assert row("metrics", "P@5")["τ ≥ 0.95 down to"] is None
    assert row("metrics", "AUC")["τ, ratings missing"] is None
    assert row("best-depths", "nDCG@10").items() <= best.items()


def test_no_uncertain_number_is_written_as_0() -> None:
    best = trial().rows[0]
    assert text(replace(best, dp=0.12), "DP") == "0.12"
    assert text(replace(best, dp=0.0021), "DP") == "0.002"
    assert text(replace(best, dp=0.00006), "DP") == "< 0.001"
    assert text(replace(best, dp=NAN), "DP") == "–"
    assert text(replace(best, mean_p=0.0002), "Mean p") == "< 0.001"
    assert text(replace(best, mean_p_error=0.05), "Mean p error") == "0.050"
    assert text(replace(best, mean_p_error=0.00012), "Mean p error") == "< 0.001"
    assert text(replace(best, mean_p_error=NAN), "Mean p error") == "–"


def test_columns_that_no_metric_has_fold_and_stay_in_frames() -> None:
    source = table("metrics")
    names = {"τ between seeds", "τ between orders of ties", "τ with the truth"}
    assert names <= {column.name for column in source.columns}
    assert not names & {column.name for column in source.folded()[0].columns}
    rows = trial().rows
    valid = table("metrics", findings(trial(rows=(replace(rows[0], validity_tau=0.8), *rows[1:]))))
    assert "τ with the truth" in {column.name for column in valid.folded()[0].columns}


def test_only_a_clear_lead_is_bold() -> None:
    """nDCG@10 leads by 0.08 with errors of 0.01."""
    assert [table("metrics").rows[k][0] for k, _ in table("metrics").strong] == ["nDCG@10"]
    unsure = tuple(replace(own, mean_p_error=0.1) for own in trial().rows)
    assert not table("metrics", findings(trial(rows=unsure))).strong
    unknown = tuple(replace(own, mean_p_error=NAN) for own in trial().rows)
    assert not table("best-depths", findings(trial(rows=unknown))).strong


def test_metrics_that_no_other_beats_are_marked_and_named() -> None:
    source = table("best-depths")
    assert [source.rows[k][0] for k in sorted(source.marked)] == ["P@10", "nDCG@10"]
    assert "than P@10 and nDCG@10." in source.caption


def test_captions_spell_out_what_heads_abbreviate() -> None:
    for words in ("discriminative power", "standard error", "Kendall’s τ-b", "relative reliability", "1,000 users"):
        assert words in table("best-depths").caption


def test_tables_of_what_charts_show() -> None:
    missing = table("missing")
    assert missing.rows[1] == ("P@10", 0.5, 0.99, (pytest.approx(0.94), 0.99), 900.0, 50)
    assert {own[0] for own in missing.rows} == {"P@10", "nDCG@10", "<b>&@10"}
    assert table("agreement").rows[0][:4] == ("P", "<b>&", "@10", pytest.approx(2 / 3))
    assert [own[:3] for own in table("depths").rows] == [("5", "10", name) for name in ("P", "nDCG", "<b>&")]
    swaps = table("swaps")
    assert [column.name for column in swaps.columns][:4] == ["Metric", "125 users", "250 users", "500 users"]
    assert swaps.rows[0][:4] == ("P@10", 0.08, 0.04, 0.02)
    assert table("swap-sizes").rows[:2] == (("P@10", 1, 0.0, 0.4, 1200), ("P@10", 2, 0.1, 0.0, 1200))
    assert table("variance").rows[0] == ("P@10", 0.25, 0.5, 0.25, 0.999, 0.997)


def test_parts_that_were_not_measured_are_absent() -> None:
    lacking = findings(trial(between_metrics=(), between_depths=(), missing=(), popularity=(), swaps=(), reliability=()))
    source = metric_quality.tables(lacking)
    absent = {name for name, builder in source.items() if builder() is None}
    assert absent == {"missing", "popularity", "agreement", "depths", "swaps", "swap-sizes", "variance"}
    figures = metric_quality.charts(lacking)
    assert {name for name, function in figures.items() if function() is not None} == {"front", "power"}
    assert [section.id for section in document(lacking).sections] == ["power-robustness", "metrics", "power"]


def test_the_answer_comes_first_and_its_numbers_stand_out() -> None:
    report = document()
    assert report.answer == "nDCG@10 separates these systems best."
    assert [span.text for span in report.numbers[0].spans if span.style == "strong"] == [
        *("6 pairs", "nDCG@10", "0.020 ± 0.010", "0.12", "5%")
    ]
    assert report.numbers[-1].plain == "Systems: A, B, C, D. Protocol: data films_&_books.csv; target AllItems."
    assert report.main is not None and report.main.name == "best-depths"
    assert report.systems == ("P", "nDCG", "<b>&", "AUC")


def test_limits_and_what_is_left_out_are_notices() -> None:
    said = [(notice.title, notice.text.plain) for notice in document().notices]
    assert said == [("", trial().limits[0]), ("Left out", "<i>Failing</i>: no score.")]
    assert len(document(two()).notices) == 2  # each once
    assert "not which metric measures what users want" in document().unchecked[0].plain


def test_every_chart_names_a_table_of_the_page() -> None:
    for of in (findings(), two(), findings(small_trial())):
        report = document(of)
        charts = [block for block in report.blocks() if isinstance(block, Chart)]
        assert {own.table for own in charts} <= set(report.tables())
        names = [block.name for block in report.blocks() if isinstance(block, Chart | Table)]
        assert len([name for name in names if name in {own.name for own in charts}]) >= len(charts) > 8
        ids = [section.id for section in (*report.sections, *report.appendix)]
        assert len(set(ids)) == len(ids) and len({own.name for own in charts}) == len(charts)


def test_the_appendix_has_the_protocol() -> None:
    """Decisions, the data, what lint finds, works cited, and the manifest."""
    report = results_of("meta").document
    assert [section.id for section in report.appendix] == [
        *("choices", "data", "definitions", "lint", "references", "manifest")
    ]
    assert {"choices", "profile", "manifest"} <= set(results_of("meta").tables)
    (cited,) = next(section.blocks for section in report.appendix if section.id == "references")
    assert isinstance(cited, Terms) and {"sakai2006", "webber2010", "valcarce2018"} <= {key for key, _ in cited.entries}
    assert any(notice.code for notice in report.notices)  # what lint finds


def test_how_ratings_were_sampled_and_counted_is_said() -> None:
    caption = table("best-depths", findings(trial(sampling="user", counting="train"))).caption
    assert "each user's test ratings" in caption and "counted over the training ratings" in caption


def test_several_protocols() -> None:
    report = document(two())
    assert report.answer == "nDCG@10 separates these systems best."  # under both
    assert [words.plain.partition(":")[0] for words in report.numbers[:2]] == ["AllItems", "TestRatings(k=1)"]
    assert report.numbers[-1].plain.endswith("Protocol: data films_&_books.csv.")
    assert report.main is not None and report.main.values("Protocol") == ["AllItems"] * 4 + ["TestRatings(k=1)"] * 4
    source = metric_quality.tables(two())
    assert {"metrics", "metrics-testratings-k-1"} <= set(source)
    other = replace(trial().rows[0], mean_p=0.001)
    differing = findings(trial(), trial(rows=(other, *trial().rows[1:]), protocol=two().trials[1].protocol))
    assert document(differing).answer == "Which metrics separate these systems depends on the protocol."
    assert "500 users" in chart("reliability", two(), trial=1).caption


def test_tables_for_papers() -> None:
    source = metric_quality.tables(two())
    assert source.keys() >= {"best-depths", "best-depths-testratings-k-1"}
    latex = table("metrics-testratings-k-1", two()).to_latex(label="tab:x")
    assert r"\label{tab:x}" in latex and r"\textless{}b\textgreater{}\&@10" in latex
    assert "TestRatings(k=1): 4 systems (6 pairs), 500 users" in latex


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_other_places_are_refused(name: str) -> None:
    figure = metric_quality.charts(findings())[name]
    with pytest.raises(UnknownNameError) as unknown:
        figure(at="nDGC")
    assert "nDCG" in unknown.value.near
    with refused(SpecError, where="figure", hint="depths are"):
        figure(at=7)
    with refused(SpecError, where="trial"):
        figure(trial=3)


def test_the_rule_has_words_for_every_criterion() -> None:
    assert CRITERIA_WORDS.keys() == CRITERIA.keys()
    assert rule_words(("mean_p", "missing_tau")) == "mean p and τ with ratings missing"


def test_a_trial_without_numbers_of_a_kind_has_no_not_a_number_in_tables() -> None:
    for builder in metric_quality.tables(findings(small_trial())).values():
        source = builder()
        assert source is not None
        for column, values in ((column, source.values(column.name)) for column in source.columns):
            assert "nan" not in {column.text(value, k) for k, value in enumerate(values)}
            assert not any(isinstance(value, float) and math.isinf(value) for value in values)
