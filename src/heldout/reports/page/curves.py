"""Curves in the page: one drawing for each setting that has some, readable without a script."""

from __future__ import annotations

from markupsafe import Markup

from heldout.analysis.picture_rows import CurveRow
from heldout.reports.page import pictures
from heldout.reports.page.markup import el
from heldout.reports.views import View
from heldout.words import number

MOST_CURVES = 30
"""Systems whose curves are drawn: the first of the primary setting, and whoever leads elsewhere."""


def section(view: View) -> Markup:
    """All curves; nothing where no metric has one."""
    facts = view.facts
    drawn = pictures.operating_figures(view)
    best = set(view.shown(MOST_CURVES)) if facts.curves else set()
    for key in dict.fromkeys(row.setting for row in facts.curves):
        rows = [row for row in facts.curves if row.setting == key and row.system in best]
        names = [f"{row.system}: {_value(view, row)}" for row in rows]
        series = [facts.systems.index(row.system) for row in rows]
        panel = pictures.curve_panel(rows, series, names, chance=rows[0].x_label.startswith("false"))
        caption = el("figcaption", el("strong", view.setting(key).label), " The value stands behind the name.")
        drawn.append(el("figure", caption, panel.svg(), data_figure="curve"))
    return el("section", el("h2", "Curves"), el("div", *drawn, cls="grid"), id="curves") if drawn else Markup()


def _value(view: View, row: CurveRow) -> str:
    return number(view.value(row.setting, row.system), view.digits(row.setting))
