"""Published beside measured in a terminal: numbers, claims with their verdicts, and what could not be run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from heldout.papers.findings import ClaimRow, ExperimentFindings, ReproductionFindings
from heldout.papers.sentences import missing_words, reason_words, reasons, reproduction_sentence, uncounted_sentence
from heldout.reports.reproduction_views import (
    HEADS,
    NOTES,
    SIMULATED_NOTE,
    TITLE,
    claim_head,
    experiment_head,
    figure_cells,
    figure_columns,
)
from heldout.reports.terminal.columns import GAP, Column
from heldout.reports.terminal.parts import fitted, heading, item, small, stacked
from heldout.words import listed, rough_seconds

UNMEASURED = ("", "published", "remark")
"""Columns that need no measurement."""
STYLES = {"holds": "green", "does not hold here": "red", "cannot be tested": "yellow"}


def render(record: ReproductionFindings, width: int | None = None) -> Group:
    """The whole of it."""
    return fitted(lambda room: _parts(record, room), width)


def _parts(record: ReproductionFindings, width: int) -> list[RenderableType]:
    parts: list[RenderableType] = [Padding(Text(reproduction_sentence(record), style="bold"), (0, 0, 0, 0))]
    if uncounted_sentence(record):
        parts.append(small(uncounted_sentence(record)))
    if record.simulated:
        parts.append(Text(SIMULATED_NOTE, style="yellow"))
    for paper in record.papers:
        parts += [Text(), Rule(Text(paper.name, style="bold"), style="dim")]
        for experiment in paper.experiments:
            parts += _experiment(experiment, width)
        parts += [Text(), *(small(note) for note in paper.notes)]
    return [*parts, *(small(note) for note in NOTES)]


def _experiment(experiment: ExperimentFindings, width: int) -> list[RenderableType]:
    parts: list[RenderableType] = [heading(experiment_head(experiment), experiment.data), small(experiment.did)]
    if experiment.missing:
        parts.append(Text(missing_words(experiment), style="yellow"))
    parts += [Text(failure, style="red") for failure in experiment.failures]
    if experiment.rows:
        parts += _numbers(experiment, width)
    why = reasons(experiment)
    parts += [_claim(claim, why) for claim in experiment.claims]
    return [*parts, *(item(note) for note in (*reason_words(why), *experiment.notes))]


def _numbers(experiment: ExperimentFindings, width: int) -> list[RenderableType]:
    """Published beside measured; where there is little room the table goes on below, and remarks are folded.

    Of what was not run, what is published alone: a line above says why.
    """
    why = reasons(experiment)
    cells = [figure_cells(row, why) for row in experiment.rows]
    columns = []
    shown = [k for k in figure_columns(cells) if not experiment.missing or HEADS[k] in UNMEASURED]
    for k in shown:
        texts = [line.texts[k] for line in cells]
        if k == 0:  # a row that has several numbers is named once
            texts = [text if i == 0 or texts[i - 1] != text else "" for i, text in enumerate(texts)]
        columns.append(Column(head=HEADS[k], forms=[texts], right=2 <= k < 5))
    named = [column for column in columns if not column.head]
    whole = [f"{'  '.join(f'{c.cells[i]:<{c.width}}' for c in named)}".rstrip() for i in range(len(cells))]
    return stacked([Column(head="", forms=[whole], right=False), *(c for c in columns if c.head)], width)


def _claim(claim: ClaimRow, why: Sequence[str]) -> Table:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    text = Text(f"{claim.words} ({claim.section})")
    mark, verdict = claim_head(claim, why).split(" ", 1)
    text.append(f"\n{verdict}", style=STYLES[claim.verdict])
    text.append(f": {claim.figures}\nRule: {claim.rule}.", style="dim")
    grid.add_row(Text(mark, style=STYLES[claim.verdict]), text)
    return grid


def render_list(rows: Sequence[dict[str, Any]], width: int | None = None) -> Group:
    """The papers and what of each can be run."""
    return fitted(lambda room: _listed(rows, room), width)


def _listed(rows: Sequence[dict[str, Any]], width: int) -> list[RenderableType]:
    parts: list[RenderableType] = [Text(TITLE, style="bold"), small("heldout reproduce PAPER [EXPERIMENT …] --data FOLDER")]
    for paper in dict.fromkeys(row["paper"] for row in rows):
        of_paper = [row for row in rows if row["paper"] == paper]
        parts += [heading(paper, of_paper[0]["name"]), _experiments(of_paper, width)]
    files = {f"{row['needs']} ({row['data']})": row for row in rows}
    parts.append(heading("Data", "names below the data folder, and the layout of their lines"))
    parts += [item(f"{name}: {listed(row['files'])}. {row['layout']}") for name, row in files.items()]
    return parts


def _experiments(rows: Sequence[dict[str, Any]], width: int) -> Table:
    """One row each; where there is little room, the title and then the data stand below the key."""
    cells = {
        "experiment": [row["experiment"] for row in rows],
        "what": [row["title"] for row in rows],
        "data": [row["needs"] for row in rows],
        "numbers": [str(row["numbers"] or "") for row in rows],
        "claims": [str(row["claims"] or "") for row in rows],
        "takes": [rough_seconds(60 * row["minutes"]) for row in rows],
        "here": ["" if row["missing"] is None else "no" if row["missing"] else "yes" for row in rows],
    }
    wide = {head: max(map(cell_len, [head, *texts])) for head, texts in cells.items() if any(texts)}
    below: list[str] = []
    for head in ("what", "data"):
        if sum(wide.values()) + GAP * (len(wide) - 1) > width:
            below.append(head)
            del wide[head]
    grid = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, GAP - 1, 0, 0), header_style="bold")
    for head in wide:
        right = head in ("numbers", "claims", "takes")
        grid.add_column(head, justify="right" if right else "left", overflow="fold", no_wrap=head != "experiment")
    for k in range(len(rows)):
        lines = [Padding(small(cells[head][k]), (0, 0, 0, 2)) for head in below]
        grid.add_row(Group(Text(cells["experiment"][k]), *lines), *(cells[head][k] for head in wide if head != "experiment"))
    return grid
