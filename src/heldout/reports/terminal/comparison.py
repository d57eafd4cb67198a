"""Comparisons in a terminal: groups, the matrix of pairs, every pair in full, and critical differences."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from heldout.analysis.findings import Findings
from heldout.analysis.rows import LayoutRow, PairRow, Setting
from heldout.reports.captions import correction_note, figures_text, note_on_test, protocol, uncalled_note
from heldout.reports.terminal.columns import Column, NameCells, bands, fold_alike
from heldout.reports.terminal.pairs import EFFECTS
from heldout.reports.terminal.parts import (
    ShortNames,
    fitted,
    heading,
    names_column,
    noted,
    pairs_column,
    small,
    stacked,
    title_line,
)
from heldout.words import (
    count,
    exact_p,
    interval,
    listed,
    number,
    p_number,
    p_value,
    percent,
    shorten_all,
    signed,
)

DIAGRAM = 48
"""Cells of a diagram's axis, where the terminal has room for it."""


def render_comparison(findings: Findings, settings: Sequence[int], width: int | None = None) -> Group:
    """Each of these settings: groups, matrix, pairs in full, critical differences; the notices at the end."""
    return fitted(lambda room: _parts(findings, settings, room), width)


def _parts(findings: Findings, settings: Sequence[int], width: int) -> list[RenderableType]:
    parts: list[RenderableType] = []
    for key in settings:
        setting = findings.setting(key)
        parts.append(title_line(_title(setting), width))
        if key == findings.primary:
            parts.append(Text(findings.verdict.sentence, style="bold"))
        parts.append(small("  ".join(f"{stage} {text}" for stage, text in protocol(setting))))
        parts += _groups(findings, key)
        tests = findings.tests(key)
        if findings.baseline is None:
            parts += _matrices(findings, key, width)
        if tests:
            parts += _in_full(findings, key, width)
        for layout in findings.layouts_of(key):
            parts += _diagram(layout, width)
    if findings.notices:
        parts.append(heading("Notices"))
        parts += [noted(n.code, f"{n.title}: {n.message}" if n.title else n.message) for n in findings.notices]
    return parts


def _title(setting: Setting) -> str:
    return setting.label if "aggregate=" in setting.label else f"{setting.label}, {setting.aggregate}"


def _groups(findings: Findings, key: int) -> list[RenderableType]:
    board, digits = findings.board(key), findings.digits(key)
    groups = findings.groups(key)
    if not groups:
        lines = [f"{row.rank}. {row.system}  {number(row.value, digits)}" for row in board]
        return [heading("Systems"), *(Text(line) for line in lines)]
    place = {row.system: row for row in board}
    parts: list[RenderableType] = [heading("Groups", "systems of one group are not told apart by the tests")]
    for letter, systems in groups.items():
        named = ", ".join(f"{system} {number(place[system].value, digits)}" for system in systems)
        parts.append(Text(f"{letter}  {named}"))
    return parts


def _matrices(findings: Findings, key: int, width: int) -> list[RenderableType]:
    """One matrix for all tests that tell the same pairs apart."""
    alike: dict[frozenset[tuple[str, str]], list[str]] = {}
    for test in findings.tests(key):
        pairs = findings.pairs(key, test)
        if any(p.p is not None for p in pairs):
            alike.setdefault(frozenset((p.a, p.b) for p in pairs if p.significant(findings.level)), []).append(test)
    parts: list[RenderableType] = []
    for tests in alike.values():
        parts += _matrix(findings, key, tests, width)
    return parts


def _matrix(findings: Findings, key: int, tests: Sequence[str], width: int) -> list[RenderableType]:
    """Differences and adjusted p of the first of these tests, folded where they do not fit beside each other."""
    pairs = findings.pairs(key, tests[0])
    order = [row.system for row in findings.board(key)]
    digits = findings.digits(key)
    place = {system: k for k, system in enumerate(order)}
    cells = [["·" if i == j else "" for j in range(len(order))] for i in range(len(order))]
    brief = [list(row) for row in cells]
    styles = [[""] * len(order) for _ in order]
    for pair in pairs:
        i, j = place[pair.a], place[pair.b]
        significant = pair.significant(findings.level)
        star = "*" if significant else ""
        cells[i][j] = star + signed(pair.difference, digits)
        cells[j][i] = p_number(pair.p_adjusted)
        brief[i][j] = star + signed(pair.difference, min(3, digits)).replace("0.", ".", 1)
        brief[j][i] = p_number(pair.p_adjusted).replace("0.", ".", 1).replace(" ", "")
        styles[i][j] = "bold" if significant else ""
    shown = cells if _wide(cells) + 16 <= width else brief
    places = [f"{k:>{len(str(len(order)))}}" for k in range(1, len(order) + 1)]
    names = [_numbered(places, form) for form in names_column(order, width)]
    lead = Column(head=f"{'#':>{len(places[-1])}}  system", forms=names, right=False)
    columns = [
        Column(head=str(j + 1), forms=[[row[j] for row in shown]], styles=[row[j] for row in styles])
        for j in range(len(order))
    ]
    if len(bands([lead, *columns], width)) > 1:  # short names, so that there are few tables
        lead.forms = names[-1:]
    above = f"Above the diagonal: row − column, * told apart at {findings.level:g}; below: adjusted p"
    also = f" of {tests[0]} ({listed(tests[1:])} tell{'s' if len(tests) == 2 else ''} the same pairs apart)"
    note = f"{above}{also if len(tests) > 1 else ''}. {_capital(correction_note(pairs[0]))}."
    return [heading("Matrix", listed(list(tests))), *stacked([lead, *columns], width), small(note)]


def _numbered(places: Sequence[str], names: list[str]) -> list[str]:
    """Names behind their places."""
    cells = [f"{place}  {name}" for place, name in zip(places, names, strict=True)]
    return NameCells(cells, names.full_names) if isinstance(names, NameCells) else cells


def _wide(cells: list[list[str]]) -> int:
    """Cells of the terminal that columns of these cells take with their gaps."""
    return sum(max(len(row[j]) for row in cells) + 2 for j in range(len(cells)))


def _in_full(findings: Findings, key: int, width: int) -> list[RenderableType]:
    tests = findings.tests(key)
    first = findings.pairs(key, tests[0])
    digits = findings.digits(key)
    forms = pairs_column([(p.a, p.b) for p in first], (24, 18, 14), findings.systems)
    names = Column(head="pair", forms=forms, right=False)
    columns, alike = fold_alike(
        [
            Column(head="difference", forms=[[signed(p.difference, digits) for p in first]]),
            Column(
                head="interval",
                forms=[[interval(p.low, p.high, digits, sign=True) for p in first]],
                right=False,
                note="no interval",
            ),
            Column(head="d", forms=[[signed(p.effect, 2) for p in first]]),
            Column(head="superior", forms=[[percent(p.superiority) for p in first]]),
            Column(head="win/tie/loss", forms=[[_counts(p) for p in first]]),
            Column(head="users", forms=[[count(p.users) for p in first]], note="{} users each"),
        ]
    )
    parts: list[RenderableType] = [heading("Pairs", "first − second"), *stacked([names, *columns], width)]
    parts.append(small(" ".join([EFFECTS, *(f"{note}." for note in alike)])))
    return [*parts, *_by_test(findings, key, tests, names, width)]


def _by_test(findings: Findings, key: int, tests: Sequence[str], names: Column, width: int) -> list[RenderableType]:
    """Exact and adjusted p of every pair under every test, and what tests without p-values say."""
    columns, notes = [], []
    for test in tests:
        pairs = findings.pairs(key, test)
        if any(p.p is not None for p in pairs):
            adjusted = any(p.p_adjusted != p.p for p in pairs)
            columns.append(
                Column(head=f"{test}: p{' → adjusted' if adjusted else ''}", forms=[[_p(p) for p in pairs]], right=False)
            )
        elif any(p.figures for p in pairs):
            words = sorted({name for p in pairs for name in p.figures})
            cells = [" / ".join(percent(p.figures.get(word)) for word in words) for p in pairs]
            columns.append(Column(head=f"{test}: {' / '.join(words)}", forms=[cells], right=False))
        notes.append(f"{note_on_test(pairs[0])}.")
    notes += [called] if (called := uncalled_note(findings.verdict_row(key))) else []
    return [heading("Tests"), *stacked([names, *columns], width), *(small(note) for note in notes)]


def _counts(pair: PairRow) -> str:
    return f"{count(pair.wins)}/{count(pair.ties)}/{count(pair.losses)}"


def _p(pair: PairRow) -> str:
    if pair.p is None:
        return "–"
    shown, adjusted = (exact_p(p) for p in (pair.p, pair.p_adjusted))
    added = f" ({figures_text(pair)})" if pair.figures else ""
    return (shown if shown == adjusted else f"{shown} → {adjusted}") + added


def _diagram(layout: LayoutRow, width: int) -> list[RenderableType]:
    """The critical-difference diagram: systems along an axis of places, bars beside those that are not told apart."""
    order = layout.ordered
    short = shorten_all([name for name, _ in order], 28)
    label = max(len(short[name]) for name, _ in order)
    digits = 2 if layout.scale == "mean rank" else 4
    runs = layout.cliques
    cells = max(12, min(DIAGRAM, width - label - 14 - 2 * len(runs)))
    ends = (order[0][1], order[-1][1])
    span = ends[1] - ends[0]
    critical = round(layout.critical / abs(span) * (cells - 1)) if span else cells
    ruler = "├" + "─" * max(0, min(critical, cells) - 2) + "┤"
    lines: list[RenderableType] = [
        heading("Critical difference", f"{layout.test}, {count(layout.users)} users"),
        Text(f"All systems equal: {layout.name} = {number(layout.statistic, 2)}, {p_value(layout.p)}."),
        small(f"{'':<{label}}  {layout.scale:>9}  {ruler} {number(layout.critical, digits + 1)}"),
    ]
    for name, place in order:
        at = round((place - ends[0]) / span * (cells - 1)) if span else 0
        bars = " ".join("┃" if name in run else " " for run in runs)
        lines.append(
            Text(f"{short[name]:<{label}}  {number(place, digits):>9}  {'·' * at}●{'·' * (cells - 1 - at)}  {bars}".rstrip())
        )
    apart = "Systems beside one bar are not told apart." if runs else "Every two systems are told apart."
    lines.append(ShortNames({brief: name for name, brief in short.items()}))
    lines.append(small(f"The ruler is as long as the least difference that is significant. {apart}"))
    return lines


def _capital(text: str) -> str:
    return text if text.startswith("p ") else text[:1].upper() + text[1:]
