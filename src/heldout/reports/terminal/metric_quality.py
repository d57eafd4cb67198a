"""Metrics on trial in a terminal: the sentence, places by depth, the best with their figures, agreement, and limits."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from heldout.metric_quality.findings import MetricFindings, unbeaten
from heldout.reports.metric_quality_figures import figures, rule_words
from heldout.reports.metric_quality_views import (
    FRONT,
    MetricTrialReport,
    depths,
    depths_agreement,
    metrics_agreement,
    names,
    of_name,
    sizes_words,
)
from heldout.reports.terminal.columns import Column
from heldout.reports.terminal.parts import fitted, heading, item, names_column, small, stacked, title_line
from heldout.words import ABSENT, counted

LISTED = 12
"""Metrics whose figures are printed; of all others the page and the tables have them."""
NEED = {
    "rank": 0, "dp": 0, "mean_p": 0, "missing_tau": 0, "missing_low": 1, "stability_tau": 2, "tie_tau": 2,
    "validity_tau": 2, "popularity_tau": 3, "swap_rate": 4, "reliability": 5, "significant": 6, "swap_users": 7,
    "median_p": 8, "reliable_users": 8, "absolute_reliability": 9, "half_mean_p": 10,
}  # fmt: skip
"""Which figures go below the others first where there is little room; what was asked for by an option stays longer."""


def render(report: MetricTrialReport, width: int | None = None) -> Group:
    """The whole of it, one protocol after the other."""
    return fitted(lambda room: _parts(report, room), width)


def _parts(report: MetricTrialReport, width: int) -> list[RenderableType]:
    parts: list[RenderableType] = [title_line(report.title, width)]
    for label, trial in report.labelled:
        parts += [heading(label)] if label else []
        choices = "  ".join(f"{stage} {text}" for stage, text in trial.protocol.items() if text != "none")
        parts += [small(sizes_words(trial) + "."), small(f"Systems: {', '.join(trial.systems)}."), small(choices)]
        parts += [Padding(Text(trial.sentence, style="bold"), (1, 0, 0, 0))]
        parts += [*_places(trial, width), *_best(trial, width)]
        agreement = [*metrics_agreement(trial), *depths_agreement(trial)]
        parts += [heading("Which say the same?"), *map(item, agreement)] if agreement else []
        unknown = [*trial.limits, *trial.left_out]
        parts += [heading("What is not known"), *map(item, unknown)] if unknown else []
    return parts


def _places(trial: MetricFindings, width: int) -> list[RenderableType]:
    """Metrics × depths: the place of each by the rule."""
    shown = depths(trial)
    place = {row.metric: str(k) for k, row in enumerate(trial.rows, 1)}
    rows = [{row.depth: place[row.metric] for row in of_name(trial, name)} for name in names(trial)]
    columns = [Column(head="metric", forms=names_column(names(trial), width), right=False)]
    columns += [
        Column(
            head="all" if depth is None else f"@{depth}",
            forms=[[row.get(depth, ABSENT) for row in rows]],
            styles=["bold" if row.get(depth) == "1" else "" for row in rows],
        )
        for depth in shown
    ]
    note = small(f"1 is the best of {len(trial.rows)}, by {rule_words(trial.rule)}.")
    return [heading("Place of each metric, by depth"), *stacked(columns, width), note]


def _best(trial: MetricFindings, width: int) -> list[RenderableType]:
    """The first metrics by the rule, with all their figures."""
    rows = trial.rows[:LISTED]
    best = unbeaten(trial.rows, FRONT)
    marks = [f"{row.metric} *" if row.metric in best else row.metric for row in rows]
    columns = [Column(head="metric", forms=names_column(marks, width), right=False)]
    columns += [
        Column(head=figure.brief, forms=[[figure.text(row) for row in rows]], need=NEED[figure.key])
        for figure in figures(trial)
    ]
    meanings = [f"{figure.brief}: {figure.head}" for figure in figures(trial)]
    meanings = [words for words in meanings if words.partition(": ")[0].casefold() != words.partition(": ")[2].casefold()]
    notes = ["* no other beats it in both mean p and missing."]
    notes += [f"{'; '.join(meanings)}."] if meanings else []
    more = len(trial.rows) - len(rows)
    notes += [f"{counted(more, 'further metric')}: see report.html or the tables."] if more else []
    head = f"The {len(rows)} best" if more else "All figures"
    return [heading(head), *stacked(columns, width), *(small(note) for note in notes)]
