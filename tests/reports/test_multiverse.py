"""The report of a multiverse: its answer, numbers, tables, explorer and figures, as a document and in every form."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from rich.cells import cell_len
from tests.refusals import refused
from tests.universes.grids import USUAL, made, of
from tests.universes.test_sentences import FAILED, LEFT_OUT, failing  # noqa: F401

from heldout.errors import NotApplicableError, SpecError
from heldout.reports.document import Chart, Document, Listing, PackedExplorer, Table, Text
from heldout.reports.multiverse import charts, document, universe_tables
from heldout.reports.multiverse_tables import DETAILED, MultiverseReport, tables
from heldout.reports.render import html, latex, markdown, terminal
from heldout.reports.render.screen import printed
from heldout.universes.analysis import multiverse_findings
from heldout.universes.explored import explored_universes
from heldout.universes.findings import MultiverseFindings
from heldout.universes.grid.decisions import NAMES, decision
from heldout.universes.universes import Universes

TARGETS = ["AllItems", "TestRatings"]
LONG = "UserKNN(k=100, similarity=cosine, normalise=true)"


def turned(row: dict[str, str]) -> float:
    return -0.05 if row["target"] == "TestRatings" and int(row["cutoff"]) <= 5 else 0.05


@cache
def two() -> MultiverseFindings:
    """A leads B by 5% in 6 of 8 universes, B leads A in the other 2."""
    return multiverse_findings(pair_grid(), level=0.05)


def pair_grid() -> Universes:
    return made({"cutoff": ["1", "5", "10", "20"], "target": TARGETS}, turned)


@cache
def grid() -> Universes:
    """Five systems with long names, some of which a page must escape, over 240 universes."""
    levels = {"cutoff": ["1", "5", "10", "20", "50"], "target": TARGETS, "metric": ["P", "nDCG"], "gain": ["binary", "exp2"]}
    levels["seed"] = [str(k) for k in range(1, 9)]
    decisions = tuple(decision(name, levels.get(name, USUAL[name])) for name in NAMES)
    codes = made(levels, lambda row: 0.0).codes
    noise = np.random.default_rng(4).normal(0, 0.01, size=(len(codes), 5))
    values = 0.4 + noise + 0.01 * (codes[:, [11]] - 2) * np.arange(5)
    return of(decisions, codes, values, systems=(LONG, "WRMF", "<i>&", "Popularity", "EASE"))


@cache
def several() -> MultiverseFindings:
    return multiverse_findings(grid(), level=0.05)


def made_of(findings: MultiverseFindings, universes: Universes | None = None, **parts: Any) -> MultiverseReport:
    explore = None if universes is None else lambda: explored_universes(universes, level=0.05)
    return MultiverseReport(findings=findings, title="Films & <books>", explore=explore, **parts)


def text_of(part: Any) -> str:
    return " ".join(text.plain for text in part)


def explorer_of(shown: Document) -> PackedExplorer:
    explorers = [block for section in shown.sections for block in section.blocks if isinstance(block, PackedExplorer)]
    assert len(explorers) == 1
    return explorers[0]


# Answer and numbers


def test_the_answer_comes_first_and_is_short() -> None:
    """A is significantly better in 75% of universes and B in 25%: it depends."""
    shown = document(made_of(two()))
    assert shown.answer == "A or B wins, depending on the choices."
    assert "A is significantly better in 6 of 8 universes" in shown.numbers[0].plain
    assert next(span.text for span in shown.numbers[0].spans if span.style == "strong") == "6 of 8 universes"
    assert "8 universes (2 targets × 4 cut-offs)" in text_of(shown.numbers)
    for findings in (two(), several()):
        assert len(document(made_of(findings)).answer.split()) <= 12


def test_no_sentence_is_repeated() -> None:
    for findings, universes in ((two(), pair_grid()), (several(), grid())):
        shown = document(made_of(findings, universes))
        blocks = [block for section in shown.sections for block in section.blocks]
        texts = [shown.answer, *(text.plain for text in shown.numbers), *(b.plain for b in blocks if isinstance(b, Text))]
        texts += [text.plain for b in blocks if isinstance(b, Listing) for text in b.items]
        texts += [block.explanation for block in blocks if isinstance(block, Table | Chart)]
        sentences = Counter(part.strip(" .") for text in texts for part in text.split(". ") if len(part) > 40)
        assert [part for part, times in sentences.items() if times > 1] == []


def test_distinct_universes_are_told_and_all_are_counted() -> None:
    """A rule that changes nothing doubles the universes: 8 of 16 are distinct, and shares are of 16."""
    levels = {"cutoff": ["1", "5", "10", "20"], "target": TARGETS, "undefined": ["zero", "skip"]}
    findings = multiverse_findings(made(levels, turned), level=0.05)
    # Effects repeat within a target and cut-off: 5% and −5% are the only two.
    assert findings.universes == 16 and findings.distinct == 2
    assert "16 universes" in text_of(document(made_of(findings)).numbers)
    assert "2 are distinct" in text_of(document(made_of(findings)).numbers)
    assert pairs(findings).values("Universes") == [16]
    noisy = multiverse_findings(made(levels, turned, noise=0.001), level=0.05)
    assert noisy.distinct == 16 and "distinct" not in text_of(document(made_of(noisy)).numbers)
    unknown = replace(noisy, distinct=0)  # as read from an earlier version
    assert "distinct" not in text_of(document(made_of(unknown)).numbers)


def test_the_first_system_is_the_one_that_wins_most() -> None:
    report = made_of(several())
    shares = dict.fromkeys(report.findings.names, 0.0)
    for pair in report.findings.pairs:
        shares[pair.first] += pair.shares.first / pair.shares.universes
        shares[pair.second] += pair.shares.second / pair.shares.universes
    assert list(report.systems) == sorted(shares, key=lambda name: -shares[name])
    assert report.systems[0] in document(report).numbers[0].plain


# Tables


def pairs(findings: MultiverseFindings) -> Table:
    table = tables(made_of(findings))["pairs"]()
    assert table is not None
    return table


def test_shares_have_their_denominator() -> None:
    table = pairs(two())
    assert table.rows == (("A – B", "depends on the choices", 0.75, 0.0, 0.25, 0.75, 0.25, 8),)
    assert pairs(several()).values("Universes") == [240] * 10


def test_pairs_with_different_denominators_show_them(failing: MultiverseFindings) -> None:  # noqa: F811
    """KNN has a value in half of the universes: shares of its pairs are of 4, those of the others of 8."""
    table = pairs(failing)
    assert set(zip(table.values("Pair"), table.values("Universes"), strict=True)) == {
        ("KNN – Popularity", 4),
        ("KNN – Random", 4),
        ("Popularity – Random", 8),
    }
    assert "Universes" in [column.name for column in table.folded()[0].columns]
    assert (
        "of 4 and " in document(made_of(failing)).numbers[0].plain or "of 8" in document(made_of(failing)).numbers[0].plain
    )


def test_what_moves_a_pair_by_hand() -> None:
    """Target and cut-off explain a third each and a third together; of 4 pairs of targets 2 turn the winner round."""
    table = tables(made_of(two()))["decisions-a-b"]()
    assert table is not None and table.values("Decision") == ["target", "cut-off"]
    target = dict(zip([column.name for column in table.columns], table.rows[0], strict=True))
    assert [target[name] for name in ("Effect", "Both", "With one other", "Verdict")] == pytest.approx(
        [1 / 3, 2 / 3, 1 / 3, 1 / 3]
    )
    assert (target["Reversed"], target["Leader changes"], target["Universes paired"]) == (0.5, 0.5, 4)
    assert target["Reversed, adjacent"] is None and table.values("Reversed, adjacent")[1] is not None


def test_tables_of_pairs_bear_their_names_and_the_most_disputed_come_first() -> None:
    report = made_of(several())
    named = [name for name in tables(report) if name.startswith("decisions-")]
    assert len(named) == len(set(named)) == DETAILED
    first = several().contested[0]
    assert named[0] == f"decisions-{first.first}-{first.second}".lower().replace("<i>&", "i")
    assert pairs(several()).values("Pair")[0] == f"{first.first} – {first.second}"


def test_names_that_differ_in_signs_only_stay_apart() -> None:
    systems = ("KNN(k=1.5)", "KNN(k=15)", "KNN(k=1,5)")
    universes = grid()
    values = universes.values[:, :3]
    findings = multiverse_findings(of(universes.decisions, universes.codes, values, systems=systems), level=0.05)
    named = [name for name in tables(made_of(findings)) if name.startswith("decisions-")]
    assert len(set(named)) == 3


def test_agreement_names_the_options_that_are_least_alike() -> None:
    findings = several()
    table = tables(made_of(findings))["agreement"]()
    assert table is not None
    for by, row in zip(findings.agreement.by_decision, table.rows, strict=True):
        assert row[0] == findings.words(by.decision)
        if by.least_alike is None:
            assert np.isnan(row[1]) and row[3] is None
        else:
            first, second, tau = by.least_alike
            assert row[1:] == (by.mean, f"{first} and {second}", tau)


def test_matrices_of_options_mark_the_lowest() -> None:
    by = next(by for by in several().agreement.by_decision[:3] if len(by.levels) > 2)
    table = tables(made_of(several()))[f"agreement-of-{by.decision}"]()
    assert table is not None and table.values(several().words(by.decision)) == list(by.levels)
    lowest = min(min(line) for line in by.between)
    assert {table.rows[row][1 + by.levels.index(level)] for row, level in table.strong} == {lowest}
    assert all(builder() is None for name, builder in tables(made_of(two())).items() if name.startswith("agreement-of-"))


def test_rankings_need_three_systems() -> None:
    table = tables(made_of(several()))["rankings"]()
    assert table is not None and table.rows[0] == several().common_rankings[0]
    assert f"The {len(table.rows)} most frequent of {several().agreement.distinct}" in table.caption
    assert tables(made_of(two()))["rankings"]() is None


def test_papers_are_spelled_with_what_the_grid_lacks() -> None:
    table = tables(made_of(two()))["papers"]()
    assert table is not None
    rows = {row[0]: row for row in table.rows}
    assert set(rows) == {paper.paper for paper in two().papers} and "Cañamares et al. 2020" in rows
    assert rows["Gunawardana & Shani 2009"][1:3] == (6, "A 4, B 2") and rows["Bellogín et al. 2011"][2] == "A 4"
    assert "test_users(n=2000)" in rows["Gunawardana & Shani 2009"][-1]


def test_the_grid_has_every_option_with_its_universes() -> None:
    table = tables(made_of(two()))["grid"]()
    assert table is not None
    for row, one in zip(table.rows, two().decisions, strict=True):
        assert row[:2] == (one.words, one.letter)
        assert one.without == (8 if one.name == "gain" else 0)
    options = {row[0]: row[2].plain for row in table.rows}
    assert options["target"] == "AllItems 4, TestRatings 4" and options["gain"] == "binary 0, not applicable 8"


# Every universe


def test_the_explorer_has_every_universe_as_its_table() -> None:
    report = made_of(several(), grid())
    explorer, board = explorer_of(document(report)), explored_universes(grid(), level=0.05)
    for state in (0, 7, 239):
        table, order = explorer.table(state), board.order[state]
        assert table.values("System") == [several().names[k] for k in order]
        assert table.values("Value") == board.values[state, order].tolist()
        assert table.values("#") == [1, 2, 3, 4, 5]
        p = board.p[state, order]
        assert table.values("p adjusted") == [None if np.isnan(v) else v for v in p]
        assert table.column("Value").title.startswith(board.metrics[state])
        assert table.column("p adjusted").title == f"p against {several().names[board.against[state]]}"
    first = universe_tables(report)["leaderboard"]()
    assert first is not None and first.rows == explorer.table(explorer.start).rows


def test_a_line_marks_a_universe_where_its_effect_is() -> None:
    """The effects are −5% twice and 5% six times: equal ones are halfway, at 1 of 8 and at 5 of 8."""
    explorer = explorer_of(document(made_of(two(), pair_grid())))
    assert set(explorer.signals) == {"chosen_margin", "chosen_0"}
    places = explorer.signals["chosen_0"]
    effect = pair_grid().effect[:, 0]
    assert set(places[effect < 0].tolist()) == {1 / 8} and set(places[effect > 0].tolist()) == {5 / 8}


def test_every_parameter_of_the_explorer_is_one_of_a_chart() -> None:
    shown = document(made_of(several(), grid()))
    drawn = [block for section in (*shown.sections, *shown.appendix) for block in section.blocks if isinstance(block, Chart)]
    declared = {parameter["name"] for chart in drawn for parameter in chart.spec().get("params", ())}
    assert declared == {*explorer_of(shown).signals, "focus"}


def test_universes_that_are_left_out_of_the_page_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heldout.universes.explored.MOST_UNIVERSES", 100)
    shown = document(made_of(several(), grid()))
    explorer = explorer_of(shown)
    section = next(section for section in shown.sections if section.id == "explore")
    assert len(explorer.codes) <= 100
    assert any(isinstance(block, Text) and "240" in block.plain for block in section.blocks)
    chart = charts(made_of(several(), grid()))["margin-curve"]()
    assert chart is not None and f"of {len(explorer.codes)} universes" in chart.caption  # not the 240 of the other shares


def test_without_the_universes_there_is_no_explorer() -> None:
    shown = document(made_of(several()))
    assert "explore" not in [section.id for section in shown.sections]
    assert charts(made_of(several()))["margin-curve"]() is None


# Figures


def test_a_curve_by_the_names_of_its_systems() -> None:
    draw = charts(made_of(several()))["speccurve"]
    for pair in (("WRMF", LONG), ("UserKNN", "WRMF"), 0):
        chart = draw(pair=pair)
        assert chart is not None and chart.title == "Specification curve of UserKNN against WRMF"
        assert "240 universes" in chart.caption
    first, alone = several().contested[0], draw()
    assert alone is not None and alone.title.endswith(f"{first.first} against {first.second}")
    for wrong in (("WRMF", "SLIM"), 99):
        with refused(SpecError, where="figure"):
            draw(pair=wrong)


def test_figures_of_a_document_have_names_of_their_own_and_a_table() -> None:
    shown = document(made_of(several(), grid()))
    blocks = [block for section in (*shown.sections, *shown.appendix) for block in section.blocks]
    drawn = [block for block in blocks if isinstance(block, Chart)]
    assert len({chart.name for chart in drawn}) == len(drawn) == DETAILED + 2
    assert {chart.table for chart in drawn} <= set(shown.tables())
    assert charts(made_of(two()))["map"]() is None


def test_a_pair_without_a_value_has_no_curve() -> None:
    empty = made({"cutoff": ["1", "5"]}, lambda row: 0.1)
    for column in (empty.effect, empty.difference, empty.p, empty.values):
        column[:] = np.nan
    empty.winner[:] = 0
    report = made_of(multiverse_findings(empty, level=0.05))
    shown = document(report)
    assert shown.answer == "No universe compares any two systems."
    assert pairs(report.findings).rows == (("A – B", "no value", None, None, None, None, None, 0),)
    assert charts(report)["speccurve"]() is None
    with refused(NotApplicableError, where="figure", hint="choose another pair"):
        from heldout.reports.multiverse import specification_chart

        specification_chart(report, report.findings.pairs[0])


# Systems that failed


def test_what_failed_is_told_at_the_top_and_in_full_below(failing: MultiverseFindings) -> None:  # noqa: F811
    shown = document(made_of(failing, failed=FAILED, left_out=LEFT_OUT))
    assert "KNN and EASE failed on some splits." in shown.numbers[-1].plain
    sections = {section.id: section for section in (*shown.sections, *shown.appendix)}
    (failures,) = sections["failed"].blocks
    assert isinstance(failures, Listing) and "fit: singular" in text_of(failures.items)
    _, reasons = sections["none"].blocks
    assert isinstance(reasons, Listing) and text_of(reasons.items) == LEFT_OUT[0]
    table = tables(made_of(failing, failed=FAILED))["systems"]()
    assert table is not None and table.values("Failed") == ["", "", "no universe compares it", ""]
    clean = document(made_of(failing))
    assert "failed" not in text_of(clean.numbers)
    assert not {"failed", "none"} & {section.id for section in (*clean.sections, *clean.appendix)}


def test_the_system_that_beats_all_others(failing: MultiverseFindings) -> None:  # noqa: F811
    """Popularity is ahead of KNN and of Random wherever they are compared."""
    assert document(made_of(failing)).answer == "Popularity beats every other system in most universes."


# Every form


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("full", [False, True])
def test_a_terminal_keeps_its_width_and_begins_with_the_answer(width: int, full: bool) -> None:
    for findings, universes in ((two(), pair_grid()), (several(), grid())):
        shown = document(made_of(findings, universes))
        lines = printed(terminal.document(shown, full=full), width).splitlines()
        assert max(cell_len(line.rstrip()) for line in lines) <= width
        assert " ".join(shown.answer.split()) in " ".join(" ".join(lines[:6]).split())


def test_a_short_terminal_has_one_table() -> None:
    text = printed(terminal.document(document(made_of(several(), grid()))), 80)
    assert "Second better" in text and "What moves" not in text
    full = printed(terminal.document(document(made_of(several(), grid())), full=True), 80)
    assert "What moves" in full and "p against" in full
    alone = printed(terminal.document(document(made_of(two()))), 80)
    assert "Gained/lost" in alone and "Second better" not in alone


def test_every_table_is_written_for_papers() -> None:
    for report in (made_of(two(), pair_grid()), made_of(several(), grid())):
        for name, build in {**tables(report), **universe_tables(report)}.items():
            table = build()
            if table is not None:
                text = latex.table(table)
                assert rf"\label{{tab:{name}}}" in text and r"\caption{" in text


def test_pages_and_markdown_are_the_same_each_time_and_escaped() -> None:
    shown, again = (document(made_of(several(), grid())) for _ in range(2))
    page = html.page(shown)
    assert page == html.page(again) and "Films &amp; &lt;books&gt;" in page and "<i>&" not in page
    text = markdown.document(shown)
    assert text == markdown.document(again) and r"Films & \<books>" in text
