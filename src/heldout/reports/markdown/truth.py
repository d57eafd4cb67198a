"""Protocols held against the truth in Markdown: the sentences, all figures, and what is not known."""

from __future__ import annotations

from heldout.reports.markdown.text import plain, table
from heldout.reports.truth_views import NOT_TRUSTED, TruthReport, figures, sizes_words


def to_markdown(report: TruthReport) -> str:
    """The whole as Markdown; the same report gives the same text."""
    findings = report.findings
    shown = figures(findings)
    lines = [f"# {plain(report.title)}", "", plain(f"{findings.data}: {sizes_words(findings)}."), ""]
    lines += [f"**{plain(findings.sentence)}**", "", *(f"- {plain(text)}" for text in findings.sentences[1:]), ""]
    rows = [(row.protocol, row.metric, *(figure.text(row) for figure in shown)) for row in findings.rows]
    lines += table(("Protocol", "Metric", *(figure.head for figure in shown)), rows)
    for head, texts in (("What is not known", (*findings.limits, NOT_TRUSTED)), ("What was left out", findings.left_out)):
        lines += [f"## {head}", "", *(f"- {plain(text)}" for text in texts), ""] if texts else []
    definitions = [f"- {plain(f'{figure.head}: {figure.meaning}')}" for figure in shown]
    return "\n".join([*lines, "## How each figure is defined", "", *definitions, ""]).rstrip() + "\n"
