"""Biases as a LaTeX table."""

from __future__ import annotations

from tests.biases.sample import small_findings

from heldout.reports.latex.biases import to_latex


def test_a_table_for_a_paper() -> None:
    text = to_latex(small_findings())
    assert text.count(r"\\") - 1 == 11  # a head, and eleven protocols
    assert r"\textbf{" in text and r"\label{tab:biases}" in text
    assert all(ord(char) < 128 for char in text)
