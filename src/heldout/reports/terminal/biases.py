"""Biases in a terminal: the sentences, systems under every protocol, expectations beside measurements, and limits."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from heldout.biases.findings import BiasFindings
from heldout.reports.bias_views import (
    SWEEP_BRIEFS,
    brief_closed_form,
    curves_of,
    expectation_cells,
    expectation_lines,
    place_text,
    protocol_lines,
    sizes_words,
    sweeps_drawn,
    times_text,
    value_text,
)
from heldout.reports.terminal.columns import Column
from heldout.reports.terminal.parts import fitted, heading, item, names_column, small, stacked, title_line
from heldout.words import digits_for, number, shorten_all

HEAD = 16
"""Characters of a system's name at the head of a column."""


def render(findings: BiasFindings, title: str, width: int | None = None) -> Group:
    """The whole of it."""
    return fitted(lambda room: _parts(findings, title, room), width)


def _parts(findings: BiasFindings, title: str, width: int) -> list[RenderableType]:
    first, others = findings.sentences[:2], findings.sentences[2:]
    parts: list[RenderableType] = [title_line(title, width)]
    parts.append(small(sizes_words(findings) + "."))
    parts.append(Padding(Text(" ".join(first), style="bold"), (1, 0, 0, 0)))
    parts += [Padding(Group(*map(item, others)), (1, 0, 0, 0))] if others else []
    parts += [*_protocols(findings, width), *_expectations(findings, width), *_sweeps(findings, width)]
    for head, sentences in (("What is not known", findings.limits), ("What was left out", findings.left_out)):
        parts += [heading(head), *map(item, sentences)] if sentences else []
    return parts


def _protocols(findings: BiasFindings, width: int) -> list[RenderableType]:
    """Systems × protocols by the study's metric, with what each protocol changes."""
    lines = protocol_lines(findings)
    names = [line.effect.protocol for line in lines]
    best = [min(line.values.values(), key=lambda row: row.place).system for line in lines]
    short = shorten_all(list(findings.systems), HEAD)
    protocols = Column(head="protocol", forms=names_column(names, width), right=False)
    values = []
    for system in findings.systems:
        values.append(
            Column(
                head=short[system],
                full_head=system,
                forms=[
                    [
                        ("*" if system == name else "") + value_text(line, system)
                        for line, name in zip(lines, best, strict=True)
                    ]
                ],
                styles=["bold" if system == name else "" for name in best],
            )
        )
    changes = [
        Column(head="pop.", forms=[[times_text(line.popularity) for line in lines]]),
        Column(head="τ", forms=[[number(line.effect.tau, 2) for line in lines]]),
        Column(head="turned", forms=[[str(len(line.effect.reversed)) for line in lines]]),
        Column(head="lost", forms=[[str(len(line.effect.lost)) for line in lines]]),
    ]
    note = (
        f"{findings.metric}, or the metric that a protocol is named by; * the best. pop.: Popularity's "
        f"{findings.precision} by that of a random ranking. τ with the order under {findings.effects.reference}; pairs of "
        "systems that turn round, and that lose their significance."
    )
    tables = stacked([protocols, *values, *changes], width)
    if len(tables) > 1:  # what changes stays together
        tables = [
            *stacked([protocols, *values], width),
            Padding(Group(*stacked([protocols, *changes], width)), (1, 0, 0, 0)),
        ]
    return [heading("How much of this is popularity?"), *tables, small(note)]


def _expectations(findings: BiasFindings, width: int) -> list[RenderableType]:
    rows = expectation_lines(findings)
    if not rows:
        return []
    cells = [expectation_cells(row) for row in rows]
    columns = [
        Column(head="protocol", forms=[[row.protocol for row in rows]], lead=True, right=False),
        Column(head="system", forms=names_column([row.system for row in rows], width), lead=True, right=False),
        Column(
            head="closed form", forms=[[cell[0] for cell in cells], list(map(brief_closed_form, rows))], right=False, need=1
        ),
        Column(head="given split", forms=[[cell[2] for cell in cells]]),
        Column(head="measured", forms=[[cell[3] for cell in cells]]),
        Column(head="interval", forms=[[cell[4] for cell in cells]], need=2),
        Column(head="bounds", forms=[[cell[1] for cell in cells]], need=3),
    ]
    note = f"{findings.precision}. Given the split, only the sample or the order of a random ranking is left to chance."
    return [heading("What was to be expected"), *stacked(columns, width), small(note)]


def _sweeps(findings: BiasFindings, width: int) -> list[RenderableType]:
    """The ends of every sweep: Popularity and the others at its first and last place."""
    parts: list[RenderableType] = []
    rows = [(sweep, protocol, curves_of(findings, sweep, protocol)) for sweep, protocol in sweeps_drawn(findings)]
    if not rows:
        return parts
    ends = [next(iter(curves.values())) for _, _, curves in rows]
    places = [f"{place_text(p[0].sweep, p[0].x)}, {place_text(p[-1].sweep, p[-1].x)}" for p in ends]
    columns = [
        Column(head="", forms=[[f"{SWEEP_BRIEFS[sweep]} ({protocol})" for sweep, protocol, _ in rows]], right=False),
        Column(head="from, to", forms=[places]),
    ]
    short = shorten_all(list(findings.systems), HEAD)
    for system in findings.systems:
        if not any(system in curves for _, _, curves in rows):
            continue
        texts = []
        for _, _, curves in rows:
            points = curves.get(system)
            digits = digits_for([p.value for p in points]) if points else 4
            texts.append(f"{number(points[0].value, digits)}, {number(points[-1].value, digits)}" if points else "")
        columns.append(Column(head=short[system], full_head=system, forms=[texts]))
    note = f"{findings.precision} at the first and the last place; the page draws the curves."
    return [heading("What moves the values"), *stacked(columns, width), small(note)]
