"""Reproductions as Markdown."""

from __future__ import annotations

from tests.reports.reproduced import looked_into, reproduced

from heldout.reports.markdown.reproduction import to_markdown


def test_markdown_has_every_number_claim_and_figure() -> None:
    text = to_markdown(reproduced(), {"sample-2000/fig-2": "page/fig-2.svg"})
    assert text.count("](page/fig-2.svg)") == 1
    assert sum(line.startswith("| P@3 |") for line in text.splitlines()) == 8
    assert sum("wins” (§1)" in line for line in text.splitlines()) == 4
    assert "heldout reproduce sample-2000 --data simulated" in text


def test_what_was_looked_into_stands_with_the_figures_of_its_claim() -> None:
    text = to_markdown(looked_into())
    [line] = [line for line in text.splitlines() if "Why: Chance is ruled out by five splits." in line]
    assert line.startswith("| “Random wins” (§1)")
