"""Reproductions as Markdown."""

from __future__ import annotations

from tests.reports.reproduced import looked_into, reproduced, without_data

from heldout.reports.markdown.reproduction import to_markdown


def test_markdown_has_every_number_claim_and_figure() -> None:
    text = to_markdown(reproduced(), {"sample-2000/fig-2": "page/fig-2.svg"})
    assert text.count("](page/fig-2.svg)") == 1
    assert sum(line.startswith("| P@3 |") for line in text.splitlines()) == 8
    assert sum("wins” (§1)" in line for line in text.splitlines()) == 4
    assert "heldout reproduce sample-2000 --data simulated" in text


def test_what_was_not_run_has_its_published_numbers_claims_and_remarks() -> None:
    text = to_markdown(without_data()).replace("\N{NO-BREAK SPACE}", " ").split("### fig-2")[1]
    assert "Not run: the data folder lacks lost/" in text
    assert "| P@3 | other | 0.900 | – | – | cannot be tested | another reading |" in text
    assert text.count("| ? cannot be tested |") == 3


def test_reasons_stand_once_below_and_rows_lead_to_them() -> None:
    lines = to_markdown(looked_into()).replace("\N{NO-BREAK SPACE}", " ").splitlines()
    assert lines.count("- (1) The data are others.") == lines.count("- (2) Chance is ruled out by five splits.") == 1
    assert [line for line in lines if line.startswith("| P@3 | Random |") and "| no (1, 2) |" in line]
    assert [line for line in lines if line.startswith("| “Random wins” (§1)") and "| ✗ does not hold here (2) |" in line]
