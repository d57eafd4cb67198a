"""Curves in the page: one drawing for each setting that has some, readable without a script."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from heldout.analysis.picture_rows import CurveRow
from heldout.reports.page import pictures
from heldout.reports.page.markup import el
from heldout.reports.views import View
from heldout.words import number

SIZE, LEFT, BELOW = 300, 46, 34
COLOURS = ("#1f5fa8", "#c2571a", "#3a7d44", "#8a4f9e", "#b0902a", "#4f8f9e", "#a33d5b", "#6b6b6b")

MOST_CURVES = 30
"""Systems whose curves are drawn: the first of the primary setting, and whoever leads elsewhere."""


def section(view: View) -> Markup:
    """All curves; nothing where no metric has one."""
    facts = view.facts
    drawn = pictures.operating_figures(view)
    if not facts.curves and not drawn:
        return Markup()
    drawn = [el("div", *drawn, cls="grid")] if drawn else []
    for key in dict.fromkeys(row.setting for row in facts.curves):
        best = set(view.shown(MOST_CURVES))
        rows = [row for row in facts.curves if row.setting == key and row.system in best]
        label = view.setting(key).label
        drawn.append(
            el(
                "figure",
                el("figcaption", label),
                _drawing(rows, label),
                _legend(rows, view),
                cls="curve",
                data_figure="curve",
            )
        )
    return el("section", el("h2", "Curves"), *drawn, id="curves")


def _drawing(rows: Sequence[CurveRow], label: str) -> Markup:
    top = max(max(row.y) for row in rows)
    top = 1.0 if top > 0.5 or rows[0].x_label.startswith("false") else top or 1.0

    def place(x: float, y: float) -> str:
        return f"{LEFT + x * SIZE:.1f},{(1 - y / top) * SIZE + 8:.1f}"

    parts = [
        el("rect", x=str(LEFT), y="8", width=str(SIZE), height=str(SIZE), fill="none", stroke="currentColor", opacity="0.3")
    ]
    if rows[0].x_label.startswith("false"):
        parts.append(_path(f"M{place(0, 0)} L{place(1, 1)}", "currentColor", "1"))
    for k, row in enumerate(rows):
        points = " L".join(place(x, y) for x, y in zip(row.x, row.y, strict=True))
        parts.append(_path(f"M{points}", COLOURS[k % len(COLOURS)], "1.8", "" if k < len(COLOURS) else "5 3"))
    middle, base = str(LEFT + SIZE / 2), str(SIZE + BELOW)
    parts += [
        _text("0", str(LEFT), base, "start"),
        _text(rows[0].x_label, middle, base, "middle"),
        _text("1", str(LEFT + SIZE), base, "end"),
        _text(number(top, 2), str(LEFT - 6), "18", "end"),
        _text("0", str(LEFT - 6), str(SIZE + 8), "end"),
        el(
            "text",
            rows[0].y_label,
            transform=f"translate(14 {SIZE / 2:.0f}) rotate(-90)",
            text_anchor="middle",
            fill="currentColor",
            font_size="12",
        ),
    ]
    return el("svg", *parts, viewBox=f"0 0 {SIZE + LEFT + 12} {SIZE + BELOW + 8}", role="img", aria_label=label, width="380")


def _path(d: str, colour: str, width: str, dashes: str = "") -> Markup:
    faint = "0.35" if colour == "currentColor" else None
    return el("path", d=d, fill="none", stroke=colour, stroke_width=width, stroke_dasharray=dashes or None, opacity=faint)


def _text(words: str, x: str, y: str, anchor: str) -> Markup:
    return el("text", words, x=x, y=y, text_anchor=anchor, fill="currentColor", font_size="12")


def _legend(rows: Sequence[CurveRow], view: View) -> Markup:
    items = []
    for k, row in enumerate(rows):
        value = number(view.value(row.setting, row.system), view.digits(row.setting))
        mark = el("span", "■ ", style=f"color:{COLOURS[k % len(COLOURS)]}", aria_hidden="true")
        items.append(el("li", mark, f"{row.system}: {value}"))
    return el("ul", *items)
