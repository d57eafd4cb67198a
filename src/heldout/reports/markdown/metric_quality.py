"""Metrics on trial in Markdown: the sentence, all figures, agreement, and what is not known."""

from __future__ import annotations

from heldout.metric_quality.findings import MetricFindings, unbeaten
from heldout.reports.markdown.text import plain, table
from heldout.reports.metric_quality_figures import figures, rule_words
from heldout.reports.metric_quality_views import (
    FRONT,
    NOT_TRUSTED,
    MetricTrialReport,
    depths_agreement,
    metrics_agreement,
    sizes_words,
)


def to_markdown(report: MetricTrialReport) -> str:
    """The whole as Markdown; the same report gives the same text."""
    lines = [f"# {plain(report.title)}", ""]
    for label, trial in report.labelled:
        lines += [f"## {plain(label)}", ""] if label else []
        lines += _trial(trial)
    return "\n".join(lines).rstrip() + "\n"


def _trial(trial: MetricFindings) -> list[str]:
    shown, best = figures(trial), unbeaten(trial.rows, FRONT)
    lines = [f"{sizes_words(trial)}.", "", f"**{plain(trial.sentence)}**", ""]
    rows = [
        (f"{row.metric} *" if row.metric in best else row.metric, *(figure.text(row) for figure in shown))
        for row in trial.rows
    ]
    lines += table(("Metric", *(figure.head for figure in shown)), rows)
    note = f"Ranked by {rule_words(trial.rule)}. * no other metric beats it in both power and robustness."
    lines += [plain(note), ""]
    agreement = [*metrics_agreement(trial), *depths_agreement(trial)]
    lines += ["### Which say the same?", "", *(f"- {plain(text)}" for text in agreement), ""] if agreement else []
    unknown = [*trial.limits, *trial.left_out, NOT_TRUSTED]
    lines += ["### What is not known", "", *(f"- {plain(text)}" for text in unknown), ""]
    definitions = [f"- {plain(f'{figure.head}: {figure.meaning}')}" for figure in shown]
    return [*lines, "### How each figure is defined", "", *definitions, ""]
