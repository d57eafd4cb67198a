"""What every form of a report on the truth draws alike."""

from __future__ import annotations

from tests.reports.truth_rows import ROWS, findings

from heldout.reports.truth_views import best_of_each, figures, interval_words, metrics, scaled, sizes_words


def test_each_protocol_stands_once_by_its_best_metric() -> None:
    assert [(row.protocol, row.metric) for row in best_of_each(findings())] == [
        ("AI-AR", "P@5"), ("1R", "P@5"), ("P1R", "P@5"), ("UAR", "P@5"),
    ]  # fmt: skip


def test_only_estimators_on_the_scale_of_the_truth_are_drawn_by_bias() -> None:
    assert [row.name for row in scaled(findings())] == ["AI-AR by P@5", "AI-AR by Recall@5"]
    assert metrics(ROWS) == ["P@5", "Recall@5"]


def test_figures_in_words() -> None:
    text = {figure.key: figure.text(ROWS[0]) for figure in figures(findings())}
    assert text == {
        "right": "90.0%", "right_low": "80.0% to 100%", "tau": "0.50", "decided": "50.0%", "type_s": "0%", "users": "40",
        "bias": "−0.200", "error": "0.020", "rmse": "0.200", "truth": "0.400", "type_m": "–",
    }  # fmt: skip
    assert interval_words(ROWS[-1]) == "–"
    meaning = {figure.key: figure.meaning for figure in figures(findings())}
    assert "p < 0.05" in meaning["decided"]


def test_sizes_in_words() -> None:
    assert sizes_words(findings()) == "3 systems (3 pairs), 20 redrawn worlds, 50 users, 5 estimators"
