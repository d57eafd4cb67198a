"""The overview: systems × metrics in one table that sorts by any column."""

from __future__ import annotations

from itertools import groupby

from markupsafe import Markup

from heldout.analysis.findings import Findings
from heldout.analysis.overview import OverviewColumn, overview
from heldout.reports.captions import with_depth
from heldout.reports.page.markup import Cell, breakable, cell, el, join, rows
from heldout.words import ABSENT, digits_for, exact, number, percent, seconds, size

MOST_ROWS = 300
"""Systems written into the table; the rest stand in the facts."""


def section(findings: Findings) -> Markup:
    """All that was measured of every system under the primary protocol; nothing where that is one metric of one system."""
    table = overview(findings)
    columns = table.columns
    if len(table.systems) < 2 or sum(column.form == "value" for column in columns) < 1:
        return Markup()
    parts = [(part, len(list(group))) for part, group in groupby(columns, key=lambda column: column.part)]
    above = [el("td"), *(el("th", part, scope="colgroup", colspan=str(n), cls=_measured(part)) for part, n in parts)]
    heads = [el("th", "System", scope="col", cls="name")]
    for column in columns:
        lower = el("small", " (lower is better)") if column.means == "lower is better" else Markup()
        heads.append(
            el(
                "th",
                breakable(with_depth(column.name, findings.primary_setting.metric)),
                lower,
                scope="col",
                cls=f"num {_measured(column.part)}".rstrip(),
                title=column.means or None,
            )
        )
    lines = [
        [cell(breakable(system), "name"), *(_cell(column, k) for column in columns)]
        for k, system in enumerate(table.systems[:MOST_ROWS])
    ]
    body = el("tbody", rows(lines))
    head = el("thead", el("tr", *above, cls="parts"), el("tr", *heads))
    inside = el("table", el("caption", "Systems and metrics"), head, body, id="overview-table", data_sortable=True)
    return el(
        "section",
        el("h2", "Overview"),
        el("div", inside, cls="scroll", tabindex="0", role="group", aria_label="Systems and metrics"),
        el("p", _note(findings, columns), _cost_note(columns), cls="note"),
        id="overview",
    )


def _cell(column: OverviewColumn, k: int) -> Cell:
    """A number with what it sorts by, a star where it is the best, and letters where there are any."""
    value = column.values[k]
    shown = _shown(column, value)
    cls = f"num {_measured(column.part)}".rstrip()
    if value is None:
        return cell(shown, cls)
    star = el("span", "★", cls="star", title="best") if column.best[k] else Markup()
    inside = el("data", join(star, el("b", shown) if column.best[k] else shown), value=repr(float(value)))
    letters = el("sup", column.letters[k]) if column.letters and column.letters[k] else Markup()
    return cell(join(inside, letters), "num best" if column.best[k] else cls, exact(value))


def _shown(column: OverviewColumn, value: float | None) -> str:
    if value is None:
        return ABSENT
    if column.form == "value":
        return number(value, digits_for(column.values))
    return percent(value) if column.form == "percent" else seconds(value) if column.form == "seconds" else size(value)


def _measured(part: str) -> str:
    """The class of what differs from run to run: pages of the same study are the same without such elements."""
    return "measured" if part == "Cost" else ""


def _cost_note(columns: tuple[OverviewColumn, ...]) -> Markup:
    if not any(column.part == "Cost" for column in columns):
        return Markup()
    words = (
        " Costs were measured on the machine that the manifest names, and differ from run to run; all else does not. They "
        "are without the compilation of kernels, which happens once on a machine."
    )
    return el("span", words, cls="measured")


def _note(findings: Findings, columns: tuple[OverviewColumn, ...]) -> str:
    note = "Everything measured under the choices of the primary setting; a click on a head sorts. ★ marks the best value."
    if any(column.letters for column in columns):
        note += (
            " Systems that share a letter in a column are not told apart there by the study's first test, after correction."
        )
    if any(column.part == "Beyond accuracy" for column in columns):
        note += " Metrics beyond accuracy describe lists: neither high nor low is better, so no best is marked."
    if len(findings.systems) > MOST_ROWS:
        note += f" The first {MOST_ROWS} systems are shown."
    return note
