"""Biases as a LaTeX table."""

from __future__ import annotations

from tests.biases.sample import small_findings

from heldout.reports.latex.biases import to_latex


def test_a_table_for_a_paper() -> None:
    findings = small_findings()
    text = to_latex(findings)
    assert text.count(r"\\") == 1 + len(
        {effect.protocol for effect in findings.effects.protocols}
    )  # a head, and a row for each protocol
    assert r"\textbf{" in text and r"\label{tab:biases}" in text
    assert all(ord(char) < 128 for char in text)
