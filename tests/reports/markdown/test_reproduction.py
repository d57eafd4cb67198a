"""Reproductions as Markdown."""

from __future__ import annotations

from tests.reports.reproduced import reproduced

from heldout.reports.markdown.reproduction import to_markdown


def test_markdown_has_every_number_claim_and_figure() -> None:
    text = to_markdown(reproduced(), {"sample-2000/fig-2": "page/fig-2.svg"})
    assert text.count("](page/fig-2.svg)") == 1
    assert sum(line.startswith("| P@3 |") for line in text.splitlines()) == 8
    assert sum("wins” (§1)" in line for line in text.splitlines()) == 4
    assert "heldout reproduce sample-2000 --data simulated" in text
