"""Critical-difference diagrams as data: where systems stand on an axis, and which of them no test tells apart."""

from __future__ import annotations

from dataclasses import dataclass

from heldout.analysis.findings import Findings
from heldout.analysis.rows import LayoutRow
from heldout.analysis.sentences import how_tested
from heldout.reports.views import uncalled_note
from heldout.text.numbers import count, number, p_value

LEAST_SYSTEMS = 3
"""Of two systems, the table of pairs says all there is."""


@dataclass(frozen=True, kw_only=True)
class Diagram:
    """Systems along an axis; those that do not differ significantly are joined."""

    test: str
    scale: str
    """What places are: the metric, "mean rank" or "mean"."""
    order: tuple[tuple[str, float], ...]
    """Systems with their places, best first."""
    groups: tuple[tuple[str, ...], ...]
    """Systems that do not differ significantly, best first; a group may skip systems that stand between two of its own."""
    critical: float | None
    """Systems whose places differ by less do not differ significantly; None if pairs were tested one by one."""
    digits: int
    """Decimals of places."""
    caption: str


def diagrams(findings: Findings, key: int) -> list[Diagram]:
    """The diagram of the study's own adjusted tests, and one for each test of all systems at once.

    Under a test of all at once that decides by itself (Friedman's, whose pairs are Nemenyi's), its own diagram says both.
    """
    layouts = findings.layouts_of(key)
    own = _of_pairs(findings, key)
    by_layout = [_of_layout(layout) for layout in layouts]
    return by_layout if own is None or any(layout.test == own.test for layout in layouts) else [own, *by_layout]


def _of_pairs(findings: Findings, key: int) -> Diagram | None:
    """Values of the setting, with bars where adjusted tests do not reject; None with few systems, a baseline or no test."""
    board = [row for row in findings.board(key) if row.value is not None]
    test = findings.deciding_test(key)
    if test is None or len(board) < LEAST_SYSTEMS or not any(row.group for row in board):
        return None
    setting, pair = findings.setting(key), findings.pairs(key, test)[0]
    groups = tuple(tuple(names) for names in findings.groups(key).values() if len(names) > 1)
    lower = "" if setting.higher_is_better else " (lower is better)"
    caption = (
        f"{setting.metric}{lower} of each system; systems with a dot on one bar do not differ significantly by {test} at "
        f"{findings.level:g}, {count(pair.users)} users. {how_tested(pair)} "
        f"{uncalled_note(findings.verdict_row(key))}"
    ).rstrip()
    return Diagram(
        test=test,
        scale=setting.metric + lower,
        order=tuple((row.system, row.value) for row in board if row.value is not None),
        groups=groups,
        critical=None,
        digits=findings.digits(key),
        caption=caption,
    )


def _of_layout(layout: LayoutRow) -> Diagram:
    caption = (
        f"{layout.test}: {layout.name} = {number(layout.statistic, 2)}, {p_value(layout.p)}, {count(layout.users)} users. "
        f"{layout.scale.capitalize()} of each system; systems with a dot on one bar do not differ significantly."
    )
    return Diagram(
        test=layout.test,
        scale=layout.scale,
        order=tuple(layout.ordered),
        groups=tuple(tuple(run) for run in layout.cliques),
        critical=layout.critical,
        digits=2 if layout.scale == "mean rank" else 4,
        caption=caption,
    )
