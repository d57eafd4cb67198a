"""Curves in the page: one drawing for each setting that has some, readable without a script."""

from __future__ import annotations

from markupsafe import Markup

from heldout.analysis.details import CurveRow
from heldout.analysis.findings import Findings
from heldout.reports.page import pictures
from heldout.reports.page.markup import el
from heldout.reports.picture_views import drawn_systems
from heldout.words import number


def section(findings: Findings) -> Markup:
    """All curves; nothing where no metric has one."""
    drawn = pictures.operating_figures(findings)
    for key in dict.fromkeys(row.setting for row in findings.curves):
        curves = {row.system: row for row in findings.curves if row.setting == key}
        series = drawn_systems(findings, list(curves))
        rows = [curves[system] for system in series]
        if not rows:  # none of the systems that pictures show has this curve
            continue
        names = [f"{row.system}: {_value(findings, row)}" for row in rows]
        panel = pictures.curve_panel(rows, list(series.values()), names, chance=rows[0].x_label.startswith("false"))
        caption = el("figcaption", el("strong", findings.setting(key).label), " The value stands behind the name.")
        drawn.append(el("figure", caption, panel.svg(), data_figure="curve"))
    return el("section", el("h2", "Curves"), el("div", *drawn, cls="grid"), id="curves") if drawn else Markup()


def _value(findings: Findings, row: CurveRow) -> str:
    return number(findings.value(row.setting, row.system), findings.digits(row.setting))
