"""In a terminal: the leader against the others, or all others against the baseline, every test beside the other."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow
from heldout.reports.captions import correction_note, figures_text, uncalled_note
from heldout.reports.terminal.columns import Column, fold_alike
from heldout.reports.terminal.parts import heading, names_column, small, stacked
from heldout.significance.significance_test import NON_ZERO
from heldout.study.comparison import NO_TEST
from heldout.words import count, interval, listed, p_number, percent, signed

NARROW = 56
"""Below this width tables give way to plain lines."""
EFFECTS = "d: paired Cohen d; superior: share of users for whom the first is better, ties half."


def pairwise(findings: Findings, width: int) -> list[RenderableType]:
    """One table of differences with the p-values of every test, then what tests without p-values say."""
    key, baseline = findings.primary, findings.baseline
    by_test = {test: findings.against_others(key, test) for test in findings.tests(key)}
    said = {
        test: rows
        for test, rows in by_test.items()
        if rows and (test == NO_TEST or any(r.p is not None or r.figures for r in rows))
    }
    parts: list[RenderableType] = []
    if said:
        rows = next(iter(said.values()))
        who = f"The others against {baseline}" if baseline else f"{rows[0].a} against the others"
        parts.append(heading(who, "nothing was tested" if NO_TEST in said else listed(list(said))))
        parts += _lines(findings, said, width) if width < NARROW else _table(findings, said, width)
    for test, rows in by_test.items():
        if test not in said and rows and rows[0].reason:
            parts.append(small(f"Not tested by {test}: {rows[0].reason}."))
    return parts


def _other(findings: Findings, row: PairRow) -> str:
    return row.a if findings.baseline else row.b


def _note(findings: Findings, said: dict[str, list[PairRow]]) -> str:
    """How p was adjusted, once where all tests agree on that."""
    notes: dict[str, list[str]] = {}
    for test, rows in said.items():
        notes.setdefault(correction_note(rows[0]) if any(r.p is not None for r in rows) else "", []).append(test)
    notes.pop("", None)
    if NO_TEST in said:
        notes["Nothing was tested"] = []
    text = next(iter(notes)) if len(notes) == 1 else "; ".join(f"{listed(t)}: {note}" for note, t in notes.items())
    if sum(any(r.p is not None for r in rows) for rows in said.values()) > 1:
        text = f"Under the name of a test its adjusted p; {text}"
    what = f"{findings.primary_setting.metric}, {'system − baseline' if findings.baseline else 'leader − other'}"
    called = uncalled_note(findings.verdict_row(findings.primary))
    return f"{text}; {what}. {called}".rstrip() if text else f"{what}. {called}".rstrip()


def _lines(findings: Findings, said: dict[str, list[PairRow]], width: int) -> list[RenderableType]:
    digits = findings.digits(findings.primary)
    lines: list[RenderableType] = []
    for i, r in enumerate(next(iter(said.values()))):
        ends = interval(r.low, r.high, digits, sign=True)
        lines.append(Text(f"{_other(findings, r)}: {signed(r.difference, digits)} {ends}".rstrip()))
        tests = ", ".join(f"{test} {_short_outcome(rows[i])}" for test, rows in said.items())
        figures = f"d {signed(r.effect, 2)}, {count(r.wins)} won, {count(r.ties)} tied, {count(r.losses)} lost" + (
            "" if NO_TEST in said else f"; adjusted p {tests}"
        )
        lines.append(small(f"   {figures}"))
    return [*lines, small(_note(findings, said))]


def _short_outcome(row: PairRow) -> str:
    if row.p is None and row.figures:
        return " ".join(f"{name} {percent(share)}" for name, share in row.figures.items())
    return f"{p_number(row.p_adjusted)} ({figures_text(row)})" if row.figures else p_number(row.p_adjusted)


def _table(findings: Findings, said: dict[str, list[PairRow]], width: int) -> list[RenderableType]:
    rows, digits = next(iter(said.values())), findings.digits(findings.primary)
    on = "{} users compared" if NO_TEST in said else "Tested on {} users"
    counts = [f"{count(r.wins)}/{count(r.ties)}/{count(r.losses)}" for r in rows]
    columns, alike = fold_alike(
        [
            Column(
                head="system" if findings.baseline else "against",
                forms=names_column([_other(findings, r) for r in rows], width, findings.systems),
                right=False,
            ),
            Column(head="difference", forms=[[signed(r.difference, digits) for r in rows]]),
            Column(head="interval", forms=[[interval(r.low, r.high, digits, sign=True) for r in rows]], need=1, right=False),
            Column(head="d", forms=[[signed(r.effect, 2) for r in rows]], need=3),
            Column(head="superior", forms=[[percent(r.superiority) for r in rows]], need=7),
            Column(head="win/tie/loss", forms=[counts], need=4),
            *_outcomes(said),
            Column(
                head="users",
                forms=[[count(r.users) for r in rows]],
                need=5,
                note=on,
            ),
        ]
    )
    notes = [_note(findings, said), *(f"{a}." for a in alike), EFFECTS]
    return [*stacked(columns, width), small(" ".join(notes))]


def _outcomes(said: dict[str, list[PairRow]]) -> list[Column]:
    """What every test says: adjusted p under its name and p as it was, or the figures that it gives in their place."""
    columns = []
    tested = {test: rows for test, rows in said.items() if any(r.p is not None for r in rows)}
    keys = [test.partition("(")[0] for test in tested]
    for k, (test, rows) in enumerate(tested.items()):
        name = test if keys.count(keys[k]) > 1 else keys[k]
        alone = len(tested) == 1
        columns.append(
            Column(head="p adj." if alone else name, forms=[[p_number(r.p_adjusted) for r in rows]], need=0 if k == 0 else 2)
        )
        if any(NON_ZERO in r.figures for r in rows):
            head = "non-zero" if alone else f"{name} non-zero"
            columns.append(Column(head=head, forms=[[count(r.figures.get(NON_ZERO)) for r in rows]], need=2))
        if any(r.p != r.p_adjusted for r in rows):
            columns.append(Column(head="p" if alone else f"p {name}", forms=[[p_number(r.p) for r in rows]], need=6))
    for test, rows in said.items():
        if test not in tested:
            columns += [
                Column(head=name, forms=[[percent(r.figures.get(name)) for r in rows]], need=2) for name in _figures(rows)
            ]
    return columns


def _figures(rows: Sequence[PairRow]) -> list[str]:
    return list(next((r.figures for r in rows if r.figures), {}))
