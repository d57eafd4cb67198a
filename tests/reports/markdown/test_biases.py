"""Biases in Markdown."""

from __future__ import annotations

from tests.biases.sample import small_findings

from heldout.reports.markdown.biases import to_markdown


def test_sentences_tables_and_limits() -> None:
    findings = small_findings()
    text = to_markdown(findings, "Films")
    assert text.startswith("# Films\n") and text.endswith("\n") and not text.endswith("\n\n")
    assert "| P1R |" in text and "### What was to be expected (P@5)" in text and "### What is not known" in text
