"""The page's tables and diagrams of all systems together: aggregations side by side, the matrix, critical differences."""

from __future__ import annotations

from markupsafe import Markup

from heldout.analysis.facts import LayoutRow
from heldout.reports.captions import correction_note, uncalled_note
from heldout.reports.page.markup import breakable, cell, el, join, rows, table
from heldout.reports.views import View
from heldout.words import ABSENT, count, exact, number, p_exactly, p_number, p_value, shorten_all, signed

MOST_SYSTEMS = 30
"""Systems up to which the matrix is written; beyond, the table of pairs holds the same."""


def aggregations(view: View) -> Markup:
    """The primary setting under every aggregation, side by side; nothing where there is one only."""
    settings = view.aggregations(view.primary.id)
    if len(settings) < 2:
        return Markup()
    systems = [row.system for row in view.board(view.primary.id)]
    boards = {s.id: {row.system: row for row in view.board(s.id)} for s in settings}
    body = []
    for system in systems:
        line = [cell(breakable(system), "name")]
        for setting in settings:
            row = boards[setting.id].get(system)
            shown = number(row.value if row else None, view.digits(setting.id))
            first = row is not None and row.rank == 1
            hover = exact(row.value) if row else ""
            line.append(cell(el("b", shown), "num lead", hover) if first else cell(shown, "num", hover))
            line.append(cell(str(row.rank) if row and row.value is not None else ABSENT, "num"))
        body.append(line)
    heads = [cell("System")]
    for setting in settings:
        heads += [cell(breakable(setting.aggregate), "num"), cell("#", "num", f"Rank under {setting.aggregate}")]
    note = f"{view.primary.metric} of the same users' values. Where the order changes, say which aggregation you mean."
    return el(
        "section",
        el("h2", "Aggregations"),
        table(heads, rows(body), caption="Aggregations side by side", key="aggregations"),
        el("p", note, cls="note"),
        id="aggregations-section",
    )


def together(view: View) -> Markup:
    """The matrix of all pairs and the diagrams of tests that take all systems at once."""
    key = view.primary.id
    parts = [*_matrix(view, key), *(_diagram(layout) for layout in view.layouts(key))]
    if not parts:
        return Markup()
    return el("section", el("h2", "All systems together"), *parts, id="together-section")


def _matrix(view: View, key: int) -> list[Markup]:
    order = [row.system for row in view.board(key)]
    if view.facts.baseline is not None or not 2 < len(order) <= MOST_SYSTEMS:
        return []
    test = next((t for t in view.tests(key) if any(p.p is not None for p in view.pairs(key, t))), None)
    if test is None:
        return []
    pairs, digits = view.pairs(key, test), view.digits(key)
    by_systems = {(p.a, p.b): p for p in pairs}
    body = []
    for i, row in enumerate(order):
        line = [cell(join(f"{i + 1} ", breakable(row)), "name")]
        for j, column in enumerate(order):
            pair = by_systems.get((row, column) if i < j else (column, row))
            if pair is None:
                line.append(cell("·" if i == j else "", "num"))
            elif i < j:
                text = signed(pair.difference, digits)
                shown = el("b", f"{text}*") if pair.significant(view.facts.level) else text
                line.append(cell(shown, "num", f"{row} − {column}"))
            else:
                line.append(cell(p_number(pair.p_adjusted), "num", f"adjusted p {p_exactly(pair.p_adjusted)}"))
        body.append(line)
    heads = [cell("System"), *(cell(str(j + 1), "num", system) for j, system in enumerate(order))]
    note = (
        f"Above the diagonal row minus column in {view.primary.metric}, bold with * where {test} tells them apart at "
        f"{view.facts.level:g}; below it adjusted p ({correction_note(pairs[0])}). {uncalled_note(view.verdict(key))}"
    ).rstrip()
    return [table(heads, rows(body), caption="Matrix of pairs", key="matrix"), el("p", note, cls="note")]


def _diagram(layout: LayoutRow) -> Markup:
    """A critical-difference diagram as a drawing in the page."""
    order, runs = layout.ordered, layout.cliques
    short = shorten_all([name for name, _ in order], 26)
    left, width, step, top = 250, 420, 22, 44
    first, last = order[0][1], order[-1][1]
    span = (last - first) or 1.0
    height = top + step * len(order) + 8
    digits = 2 if layout.scale == "mean rank" else 4

    def x(place: float) -> float:
        return round(left + (place - first) / span * width, 1)

    reach = min(width + 60.0, layout.critical / abs(span) * width)
    parts = [
        _line(left, top - 16, left + reach, top - 16, 2),
        _text(left, top - 22, f"critical difference {number(layout.critical, digits + 1)}", "start"),
    ]
    for k, (name, place) in enumerate(order):
        y = top + step * k + 8
        parts.append(_text(left - 62, y + 4, short[name], "end"))
        parts.append(_text(left - 14, y + 4, number(place, digits), "end"))
        parts.append(_line(left, y, left + width, y, 0.4))
        parts.append(el("circle", cx=str(x(place)), cy=str(y), r="4.5", fill="var(--accent)"))
    at = {name: top + step * k + 8 for k, (name, _) in enumerate(order)}
    for k, run in enumerate(runs):
        across = left + width + 16 + 9 * k
        parts.append(_line(across, at[run[0]] - 6, across, at[run[-1]] + 6, 4))
    joined = "; ".join(" = ".join(run) for run in runs) or "every two systems are told apart"
    label = f"{layout.scale} of each system by {layout.test}; not told apart: {joined}"
    drawing = el(
        "svg",
        *parts,
        viewBox=f"0 0 {left + width + 40 + 9 * len(runs)} {height}",
        role="img",
        aria_label=label,
        style="max-width:100%;height:auto;font-size:12px",
    )
    caption = (
        f"{layout.test}: {layout.name} = {number(layout.statistic, 2)}, {p_value(layout.p)}, {count(layout.users)} users. "
        f"{layout.scale.capitalize()} of each system; systems beside one bar are not told apart."
    )
    return el("figure", el("figcaption", caption), drawing)


def _line(x1: float, y1: float, x2: float, y2: float, width: float) -> Markup:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return el("line", stroke="currentColor", stroke_width=str(width), **{k: f"{v:g}" for k, v in ends.items()})


def _text(x: float, y: float, text: str, anchor: str) -> Markup:
    return el("text", text, x=f"{x:g}", y=f"{y:g}", text_anchor=anchor, fill="currentColor")
