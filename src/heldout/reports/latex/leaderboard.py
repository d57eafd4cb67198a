"""The leaderboard as a LaTeX table for papers: booktabs, the protocol in the caption, the tests in a note."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.analysis.findings import Findings
from heldout.analysis.rows import LeaderRow, Setting
from heldout.latex_text import escape, table_row
from heldout.reports.captions import protocol
from heldout.study.comparison import NO_TEST
from heldout.words import ABSENT, counted, digits_for, listed, number


def to_latex(findings: Findings, setting: int | Sequence[int] | None = None, *, label: str = "tab:leaderboard") -> str:
    """One table with a column for each setting (the primary one unless named), best bold, needing `booktabs`.

    With one setting the interval has its own column. Letters mark systems that the tests cannot tell apart.
    """
    keys = [findings.primary] if setting is None else [setting] if isinstance(setting, int) else list(setting)
    settings = [findings.setting(key) for key in keys]
    boards = {s.id: {row.system: row for row in findings.board(s.id)} for s in settings}
    alone = len(settings) == 1
    order = [row.system for row in findings.board(settings[0].id)] if settings else []
    order += [s for s in findings.systems if s not in order]
    heads = [_head(s, alone=alone) for s in settings] + ([r"Interval"] if alone else [])
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}[t]",
        r"\centering",
        f"\\caption{{{_caption(findings, settings)}}}",
        f"\\label{{{label}}}",
        f"\\begin{{tabular}}{{l{'r' * len(settings)}{'c' if alone else ''}}}",
        r"\toprule",
        table_row(["System", *heads]),
        r"\midrule",
    ]
    for system in order:
        cells = [_value(boards[s.id], system) for s in settings]
        if alone:
            cells.append(_interval(boards[settings[0].id], system))
        lines.append(table_row([escape(system), *cells]))
    lines += [r"\bottomrule", r"\end{tabular}"]
    note = _note(findings, settings)
    if note:
        lines += ["", r"\smallskip", f"\\parbox{{\\linewidth}}{{\\footnotesize {note}}}"]
    return "\n".join([*lines, r"\end{table}", ""])


def _head(setting: Setting, *, alone: bool) -> str:
    arrow = "" if setting.higher_is_better else r" $\downarrow$"
    return escape(setting.metric if alone else setting.label) + arrow


def _digits(board: dict[str, LeaderRow]) -> int:
    return digits_for(row.value for row in board.values())


def _value(board: dict[str, LeaderRow], system: str) -> str:
    row = board.get(system)
    if row is None or row.value is None:
        return escape(ABSENT)
    shown = escape(number(row.value, _digits(board)))
    best = min(r.rank for r in board.values())
    if row.rank == best:
        shown = f"\\textbf{{{shown}}}"
    return f"{shown}$^{{\\mathrm{{{escape(row.group)}}}}}$" if row.group else shown


def _interval(board: dict[str, LeaderRow], system: str) -> str:
    row = board.get(system)
    if row is None or row.low is None or row.high is None:
        return escape(ABSENT)
    digits = _digits(board)
    return f"[{escape(number(row.low, digits))}, {escape(number(row.high, digits))}]"


def _caption(findings: Findings, settings: Sequence[Setting]) -> str:
    """The choices that all columns share, each by name; those that differ stand in the heads."""
    if not settings:
        return escape(findings.title)
    tables = [dict(protocol(s)) for s in settings]
    shared = [f"{stage} {text}" for stage, text in tables[0].items() if all(t.get(stage) == text for t in tables)]
    users = {row.users for s in settings for row in findings.board(s.id) if row.value is not None}
    title = findings.title if findings.title.endswith((".", "?", "!")) else f"{findings.title}."
    said = f"{title} Protocol: {'; '.join(shared)}."
    if len(users) == 1:
        said += f" Averages over {counted(users.pop(), 'user')}."
    elif any(row is not None and row.other_users for row in map(findings.verdict_row, (s.id for s in settings))):
        said += f" Columns rest on different users: {min(users):,} to {max(users):,}."
    return escape(said)


def _note(findings: Findings, settings: Sequence[Setting]) -> str:
    """What the letters rest on: test, correction and the size of its family; and what bold means."""
    parts = ["Best value in bold."]
    if any(not s.higher_is_better for s in settings):
        parts.append("An arrow marks metrics where lower is better.")
    if settings and all(findings.tests(s.id) == [NO_TEST] for s in settings):
        parts.append("Differences were not tested.")
    lettered = any(row.group for s in settings for row in findings.board(s.id))
    tests: dict[str, None] = {}
    for s in settings:
        for test in findings.tests(s.id)[:1]:
            pair = findings.pairs(s.id, test)[0]
            adjusted = pair.correction if pair.correction not in ("", "none") else "no correction"
            tests[test if pair.family == 1 else f"{test}, {adjusted} over {pair.family:,} comparisons"] = None
    if lettered and tests:
        parts.append(f"Systems that share a letter are not told apart at {findings.level:g}: {listed(list(tests))}.")
    text = escape(" ".join(parts))
    return text.replace("An arrow", r"$\downarrow$") if "An arrow" in text else text
