"""The page's tables and diagrams of all systems together: aggregations side by side, the matrix, critical differences."""

from __future__ import annotations

from markupsafe import Markup

from heldout.analysis.findings import Findings
from heldout.reports.captions import correction_note, uncalled_note
from heldout.reports.diagrams import Diagram, diagrams
from heldout.reports.page.markup import breakable, cell, el, join, rows, table
from heldout.words import ABSENT, exact, number, p_exactly, p_number, shorten_all, signed

MOST_SYSTEMS = 30
"""Systems up to which the matrix is written; beyond, the table of pairs holds the same."""


def aggregations(findings: Findings) -> Markup:
    """The primary setting under every aggregation, side by side; nothing where there is one only."""
    settings = findings.aggregations(findings.primary)
    if len(settings) < 2:
        return Markup()
    systems = [row.system for row in findings.board(findings.primary)]
    boards = {s.id: {row.system: row for row in findings.board(s.id)} for s in settings}
    body = []
    for system in systems:
        line = [cell(breakable(system), "name")]
        for setting in settings:
            row = boards[setting.id].get(system)
            shown = number(row.value if row else None, findings.digits(setting.id))
            first = row is not None and row.rank == 1
            hover = exact(row.value) if row else ""
            line.append(cell(el("b", shown), "num lead", hover) if first else cell(shown, "num", hover))
            line.append(cell(str(row.rank) if row and row.value is not None else ABSENT, "num"))
        body.append(line)
    heads = [cell("System")]
    for setting in settings:
        heads += [cell(breakable(setting.aggregate), "num"), cell("#", "num", f"Rank under {setting.aggregate}")]
    metric = findings.primary_setting.metric
    note = f"{metric} of the same users' values. Where the order changes, say which aggregation you mean."
    return el(
        "section",
        el("h2", "Aggregations"),
        table(heads, rows(body), caption="Aggregations side by side", key="aggregations"),
        el("p", note, cls="note"),
        id="aggregations-section",
    )


def together(findings: Findings) -> Markup:
    """The matrix of all pairs and the critical-difference diagrams."""
    key = findings.primary
    parts = [*(_drawn(diagram) for diagram in diagrams(findings, key)), *_matrix(findings, key)]
    if not parts:
        return Markup()
    return el("section", el("h2", "All systems together"), *parts, id="together-section")


def _matrix(findings: Findings, key: int) -> list[Markup]:
    order = [row.system for row in findings.board(key)]
    test = findings.deciding_test(key)
    if findings.baseline is not None or not 2 < len(order) <= MOST_SYSTEMS or test is None:
        return []
    pairs, digits = findings.pairs(key, test), findings.digits(key)
    by_systems = {(p.a, p.b): p for p in pairs}
    body = []
    for i, row in enumerate(order):
        line = [cell(join(f"{i + 1} ", breakable(row)), "name")]
        for j, column in enumerate(order):
            pair = by_systems.get((row, column) if i < j else (column, row))
            if pair is None:
                line.append(cell("·" if i == j else "", "num"))
            elif i < j:
                apart = pair.significant(findings.level)
                text = signed(pair.difference, digits)
                effect = el("small", f" d {signed(pair.effect, 2)}") if pair.effect is not None else Markup()
                shown = join(el("b", f"{text}*") if apart else text, effect)
                line.append(cell(shown, "num apart" if apart else "num", f"{row} − {column}"))
            else:
                line.append(cell(p_number(pair.p_adjusted), "num", f"adjusted p {p_exactly(pair.p_adjusted)}"))
        body.append(line)
    heads = [cell("System"), *(cell(str(j + 1), "num", system) for j, system in enumerate(order))]
    metric = findings.primary_setting.metric
    note = (
        f"Above the diagonal row minus column in {metric}, bold with * where {test} tells them apart "
        f"at {findings.level:g}, and the paired effect d; below it adjusted p ({correction_note(pairs[0])}). "
        f"{uncalled_note(findings.verdict_row(key))}"
    ).rstrip()
    return [table(heads, rows(body), caption="Matrix of pairs", key="matrix"), el("p", note, cls="note")]


def _drawn(diagram: Diagram) -> Markup:
    """A critical-difference diagram as a drawing: a row for each system, best on top, and a bar for each group."""
    order, groups = diagram.order, diagram.groups
    short = shorten_all([name for name, _ in order], 22)
    bar, step = 12, 22
    left, width = 212, 150
    top = 30 if diagram.critical is not None else 10
    right = left + width + 14 + bar * len(groups)
    low, high = min(place for _, place in order), max(place for _, place in order)
    span = (high - low) or 1.0
    bottom = top + step * len(order) + 2
    parts = [_line(left, bottom, left + width, bottom, 1)]
    parts += [
        _text(x, bottom + 14, number(place, diagram.digits), anchor)
        for x, place, anchor in ((left, low, "middle"), (left + width, high, "middle"))
    ]
    if diagram.critical is not None:
        reach = min(float(width), diagram.critical / span * width)
        words = f"critical difference {number(diagram.critical, diagram.digits + 1)}"
        parts += [_line(left, top - 10, left + reach, top - 10, 2), _text(left, top - 16, words, "start")]
    height_of = {name: top + step * k + step // 2 for k, (name, _) in enumerate(order)}
    for name, place in order:
        y = height_of[name]
        x = round(left + (place - low) / span * width, 1)
        parts += [
            _text(left - 62, y + 4, short[name], "end"),
            _text(left - 10, y + 4, number(place, diagram.digits), "end"),
            _line(left, y, left + width, y, 0.4),
            el("circle", cx=f"{x:g}", cy=str(y), r="4.5", fill="var(--accent)"),
        ]
    for k, group in enumerate(groups):
        across = left + width + 16 + bar * k
        parts.append(_line(across, height_of[group[0]], across, height_of[group[-1]], 3))
        parts += [el("circle", cx=str(across), cy=str(height_of[name]), r="4", fill="currentColor") for name in group]
    joined = "; ".join(" = ".join(group) for group in groups) or "every two systems are told apart"
    label = f"{diagram.scale} of each system by {diagram.test}; not told apart: {joined}"
    drawing = el(
        "svg",
        *parts,
        viewBox=f"0 0 {right + 16} {bottom + 20}",
        role="img",
        aria_label=label,
        cls="drawing",
        style=f"max-width:{1.3 * (right + 16):.0f}px",
    )
    return el("figure", el("figcaption", diagram.caption), drawing, data_figure="critical-difference")


def _line(x1: float, y1: float, x2: float, y2: float, width: float) -> Markup:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return el("line", stroke="currentColor", stroke_width=str(width), **{k: f"{v:g}" for k, v in ends.items()})


def _text(x: float, y: float, text: str, anchor: str) -> Markup:
    return el("text", text, x=f"{x:g}", y=f"{y:g}", text_anchor=anchor, fill="currentColor")
