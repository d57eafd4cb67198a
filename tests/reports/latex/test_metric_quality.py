"""A trial of metrics as a LaTeX table."""

from __future__ import annotations

from tests.reports.metric_trial import trial

from heldout.reports.latex.metric_quality import to_latex


def test_a_table_for_a_paper() -> None:
    text = to_latex(trial())
    assert r"\textbf{nDCG@10} & 0.12 & 0.020 $\pm$ 0.010 & 50.0\% & 0.970 & 5\% & 0.400 & 2.0\% & 0.9990 \\" in text
    assert r"films\_\&\_books.csv" in text
    assert r"\textless{}b\textgreater{}\&@10" in text
    assert "@5" not in text  # each metric at its best depth
    assert "filter none" not in text
    assert all(ord(char) < 128 for char in text)
    assert text.count(r"\\") - 1 == 4  # a head, and four metrics


def test_at_every_depth() -> None:
    text = to_latex(trial(), every_depth=True, label="tab:x")
    assert "P@5 &" in text
    assert r"\label{tab:x}" in text
    assert text.count(r"\\") - 1 == 7
