"""Descriptive metrics, bounds and diagnostics beside the leaderboard, in the terminal and on the page."""

from __future__ import annotations

import pytest

import heldout as ho
from heldout.analysis.findings import Findings
from heldout.reports.captions import BOUNDS, DESCRIPTIVE
from heldout.reports.page.descriptive_metrics import descriptive, diagnostics
from heldout.reports.terminal.descriptive_metrics import descriptive_tables, diagnostic_lines
from heldout.reports.terminal.screen import printed
from heldout.words import number


@pytest.fixture(scope="module")
def facts() -> Findings:
    study = {
        "data": "simulate(users=80, items=40, ratings=1200)",
        "split": "ratio(train=0.7, by=user)",
        "recommend": ["Popularity", "Random"],
        "metrics": ["P@5", "Novelty@5", "FullPosition@1"],
        "unrated": ["zero", "interval"],
    }
    return ho.run(study).findings


def test_both_forms_show_every_value_and_say_that_nothing_is_decided(facts: Findings) -> None:
    view = facts
    text = " ".join("".join(printed(part, 200) for part in descriptive_tables(view, 200)).split())
    page = descriptive(view)
    own = [s for s in view.descriptive if s.choices == view.primary_setting.choices and not s.bound]
    assert own and any(s.bound for s in view.descriptive)
    for form in (text, page):
        assert DESCRIPTIVE in form and BOUNDS in form
        for setting in own:
            for system in facts.systems:
                assert number(view.value(setting.id, system), view.digits(setting.id)) in form
    assert "P@5 least" in text and "P@5 most" in text


def test_diagnostics_have_a_line_and_a_row_each(facts: Findings) -> None:
    (row,) = {(r.metric, r.label) for r in facts.diagnostics[:1]}
    lines = [printed(line, 200) for line in diagnostic_lines(facts)]
    assert len(lines) == len(facts.diagnostics) and lines[0].startswith(f"{row[0]}  {row[1]}:")
    page = diagnostics(facts)
    assert page.count("<tr>") == 1 + len(facts.diagnostics)
    for value in facts.diagnostics[0].values:
        assert number(value, 4) in lines[0] and number(value, 4) in page
