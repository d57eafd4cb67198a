"""Protocols held against the truth in a terminal: the answer, each protocol at its best, and what is not known."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from heldout.biases.truth.findings import TruthFindings
from heldout.reports.terminal.columns import Column
from heldout.reports.terminal.parts import fitted, heading, item, names_column, small, stacked, title_line
from heldout.reports.truth_views import TruthReport, best_of_each, figures, sizes_words
from heldout.words import counted

NEED = {
    "right": 0, "right_low": 1, "type_s": 2, "tau": 3, "bias": 4, "rmse": 4, "error": 5, "decided": 6, "truth": 6,
    "type_m": 7, "users": 8,
}  # fmt: skip
"""Which figures go below the others first where there is little room."""


def render(report: TruthReport, width: int | None = None) -> Group:
    """The whole of it."""
    return fitted(lambda room: _parts(report, room), width)


def _parts(report: TruthReport, width: int) -> list[RenderableType]:
    findings = report.findings
    parts: list[RenderableType] = [title_line(report.title, width)]
    parts += [small(f"{findings.data}: {sizes_words(findings)}."), small(f"Systems: {', '.join(findings.systems)}.")]
    parts += [Padding(Text(findings.sentence, style="bold"), (1, 0, 0, 0)), *map(item, findings.sentences[1:])]
    parts += _best(findings, width)
    for head, sentences in (("What is not known", findings.limits), ("What was left out", findings.left_out)):
        parts += [heading(head), *map(item, sentences)] if sentences else []
    return parts


def _best(findings: TruthFindings, width: int) -> list[RenderableType]:
    """Each protocol with its best metric and all figures."""
    rows = best_of_each(findings)
    columns = [
        Column(head="protocol", forms=[[row.protocol for row in rows]], right=False),
        Column(head="metric", forms=names_column([row.metric for row in rows], width), right=False),
    ]
    columns += [
        Column(head=figure.brief, forms=[[figure.text(row) for row in rows]], need=NEED[figure.key])
        for figure in figures(findings)
    ]
    notes = [f"{figure.brief}: {figure.meaning}" for figure in figures(findings)]
    more = len(findings.rows) - len(rows)
    notes += [f"{counted(more, 'further estimator')}: see report.html or the tables."] if more else []
    return [heading("Each protocol by its best metric"), *stacked(columns, width), *(small(note) for note in notes)]
