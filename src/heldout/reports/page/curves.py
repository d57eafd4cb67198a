"""Curves in the page: one drawing for each setting that has some, readable without a script."""

from __future__ import annotations

from markupsafe import Markup

from heldout.analysis.picture_rows import CurveRow
from heldout.reports.page import pictures
from heldout.reports.page.markup import el
from heldout.reports.picture_views import drawn_systems
from heldout.reports.views import View
from heldout.words import number


def section(view: View) -> Markup:
    """All curves; nothing where no metric has one."""
    facts = view.facts
    drawn = pictures.operating_figures(view)
    for key in dict.fromkeys(row.setting for row in facts.curves):
        curves = {row.system: row for row in facts.curves if row.setting == key}
        series = drawn_systems(view, list(curves))
        rows = [curves[system] for system in series]
        if not rows:  # none of the systems that pictures show has this curve
            continue
        names = [f"{row.system}: {_value(view, row)}" for row in rows]
        panel = pictures.curve_panel(rows, list(series.values()), names, chance=rows[0].x_label.startswith("false"))
        caption = el("figcaption", el("strong", view.setting(key).label), " The value stands behind the name.")
        drawn.append(el("figure", caption, panel.svg(), data_figure="curve"))
    return el("section", el("h2", "Curves"), el("div", *drawn, cls="grid"), id="curves") if drawn else Markup()


def _value(view: View, row: CurveRow) -> str:
    return number(view.value(row.setting, row.system), view.digits(row.setting))
