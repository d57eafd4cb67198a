"""The page's results: other settings, leaderboard, pairs. The script redraws two of these for other settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from heldout.analysis.explored import Switchboard
from heldout.analysis.findings import Findings
from heldout.analysis.rows import LeaderRow, PairRow, Setting, VerdictRow
from heldout.reports.captions import figures_text, filled, note_on_test, protocol, uncalled_note, users_text, with_depth
from heldout.reports.page import explorer
from heldout.reports.page.markup import Cell, breakable, cell, data_interval, data_p, datum, el, join, rows, table
from heldout.reports.views import about_users, held_pair, margins, margins_drawn, systems_shown
from heldout.study.comparison import NO_TEST
from heldout.words import (
    ABSENT,
    count,
    counted,
    exact,
    interval,
    number,
    p_exactly,
    p_number,
    p_value,
    percent,
    signed,
)

MATRIX_ROWS = 300
"""Settings written into the table of settings; the rest stand in the facts."""
MATRIX_COLUMNS = 30
"""Systems with a column in that table: the first of the primary setting, and whoever leads elsewhere."""
FEW_SETTINGS = 12
"""Settings up to which the table shows all at once."""
PAIR_ROWS = 500
"""Pairs written into the table of pairs; beyond, those of the leader."""

BOARD_HEADS = (
    ("#", "num", "Rank in this setting"),
    ("System", "name", ""),
    ("scale", "track", ""),
    ("value", "num", ""),
    ("Interval", "num", "Confidence interval of the value"),
    ("Group", "", "Systems that share a letter are not told apart by the study's first test"),
    ("p adjusted", "num", "Of the difference from the leader, or from the baseline, under the test chosen"),
    ("Users covered", "num", "Share of users with at least one item that the system itself scored"),
    ("Coverage@n", "num", "Share of the top n that the system itself filled → after fallback"),
    ("Users averaged", "num", "Users that the value averages over"),
    ("Undefined", "num", "Users whose value the metric leaves undefined"),
    ("Unrated@n", "num", "Share of unrated items in the top n"),
    ("ρ@n", "num", "Expected precision of a random ranking of the same targets"),
    (
        "Tied@n",
        "num",
        "Share of the rated items in the top n whose score another target has too; counted for some of the users, for all "
        "where Tied@n itself is measured",
    ),
)
PAIR_HEADS = (
    ("Comparison", "", "Higher-ranked system minus the other, or system minus baseline"),
    ("Difference", "num", ""),
    ("Interval", "num", "Confidence interval of the difference"),
    ("Effect d", "num", "Paired Cohen d: mean difference over its standard deviation"),
    ("Superior", "num", "Share of users for whom the first system is better, ties counted half"),
    ("Win / tie / loss", "num", "Users for whom the first system is better, equal, worse"),
    ("p", "num", "Before adjustment"),
    ("p adjusted", "num", "Adjusted for the number of comparisons"),
    ("Users", "num", "Users that the pair was tested on"),
)


def holds(findings: Findings) -> Markup:
    """Every setting with its leader, and the pair that says whether the answer of the primary setting holds there."""
    order = systems_shown(findings, MATRIX_COLUMNS)
    shown = sorted(findings.contests, key=lambda s: s.id != findings.primary)[:MATRIX_ROWS]
    body = [_holds_line(findings, setting, order) for setting in shown]
    marked = [_holds_mark(findings, setting) for setting in shown]
    pair = "Leader minus baseline" if findings.baseline else "Leader of the primary setting minus its strongest rival here"
    heads = [
        cell("Setting"),
        cell("Leader"),
        cell("Margin", "num", pair),
        cell("Significant", "", f"{pair}, adjusted p"),
    ]
    heads += [cell(breakable(system), "num") for system in order]
    return el(
        "section",
        el("h2", "Does it hold?" if findings.verdict.rows else "Settings"),
        _chart("spread", _spread_caption(findings), "margins") if margins_drawn(findings) else Markup(),
        _settings_filter(len(shown)),
        table(
            heads,
            rows(body, marked, [str(setting.id) for setting in shown]),
            caption="Leader of each setting",
            key="settings",
        ),
        el("p", _holds_note(findings, len(findings.contests) - len(shown)), cls="note"),
        id="holds",
    )


def _settings_filter(settings: int) -> Markup:
    """A choice of the settings shown, where they are many."""
    if settings <= FEW_SETTINGS:
        return Markup()
    options = [
        el("option", "one change from the chosen one", value="near", selected=True),
        el("option", "where another system leads", value="other"),
        el("option", "all", value="all"),
    ]
    chooser = el("label", "Settings shown ", el("select", *options, id="settings-filter"), cls="control")
    return el("div", chooser, el("span", id="settings-shown", cls="note", role="status"), cls="controls scripted")


def _holds_line(findings: Findings, setting: Setting, order: list[str]) -> list[Cell]:
    """A setting: who leads it, the pair that decides whether the answer holds there, and every system's value."""
    row, digits, leader = findings.verdict_row(setting.id), findings.digits(setting.id), findings.alone(setting.id)
    primary = " (primary)" if setting.id == findings.primary else ""
    users = f" (on {counted(row.other_users, 'other user')})" if row is not None and row.other_users else ""
    line = [
        cell(
            breakable(setting.label + primary + users + ("" if setting.higher_is_better else " (lower is better)")), "label"
        ),
        cell(_leader_words(row), "word", _HOLDS.get(row.answer, "") if row and not primary else ""),
    ]
    if row is None:
        line += [cell(ABSENT, "num"), cell(ABSENT, "nowrap")]
    else:
        held = held_pair(findings, row)
        sure = ABSENT if row.p_adjusted is None else "yes" if row.significant else "no"
        if row.refused:
            sure = "not called"
        elif row.p_adjusted is not None:
            sure = f"{sure}, {p_value(row.p_adjusted)}".replace(" ", "\u00a0")
        margin = join(signed(held.difference, digits), el("small", " against ", breakable(held.b)))
        line += [
            cell(margin, "num", f"{held.a} − {held.b}"),
            cell(sure, "nowrap", row.remark if row.refused else f"adjusted p {p_exactly(row.p_adjusted)}"),
        ]
    for system in order:
        first = system == leader
        value = number(findings.value(setting.id, system), digits)
        hover = "leads in this setting" if first else ""
        line.append(cell(el("b", value) if first else value, "num lead" if first else "num", hover))
    return line


_HOLDS = {
    "same": "The leader of the primary setting leads here too",
    "other": "Another system leads than in the primary setting",
}


def _leader_words(row: VerdictRow | None) -> Markup:
    """The leader of a setting by name, after a sign that says whether it is the primary one's."""
    if row is None or row.answer == "uncalled":
        return join(ABSENT)
    if row.answer == "tie":
        return join("= ", breakable(row.leader), " and ", breakable(row.rival))
    return join("✓ " if row.answer == "same" else "✗ ", breakable(row.leader))


def _holds_mark(findings: Findings, setting: Setting) -> str:
    row = findings.verdict_row(setting.id)
    if setting.id == findings.primary:
        return "primary"
    return "other" if row is not None and row.answer == "other" else ""


def _holds_note(findings: Findings, more: int) -> str:
    findings, first = findings, findings.leader(findings.primary)
    if not findings.verdict.rows:
        return "No winner is called."
    note = f"✓: {first} leads here too; ✗: another system does. The leader's value is bold on a tint. "
    if findings.baseline:
        note += "Margins are the setting's leader minus the baseline."
        if any(row.leader == findings.baseline for row in findings.verdict.rows):
            note += " Where the baseline itself leads, minus the system named."
    else:
        note += f"Margins are {first} minus the best other system of the same setting."
        if any(first not in (row.leader, row.rival) for row in findings.verdict.rows):
            note += f" Where {first} has no value, they are the leader's against the runner-up."
    if refused := next((row.refused for row in findings.verdict.rows if row.refused), ""):
        note += f" Not called: the leader {refused}."
    note += f" {about_users(findings)}".rstrip()
    if more > 0:
        note += f" {counted(more, 'more setting')} in the facts."
    if len(findings.systems) > MATRIX_COLUMNS:
        note += f" Of {count(len(findings.systems))} systems it shows the first of the primary setting and those that lead."
    return note


def _spread_caption(findings: Findings) -> str:
    """What the chart of margins compares, and the settings it cannot show."""
    if not margins(findings):
        return "Margin in each setting"
    lacking = len(findings.contests) - len(margins(findings))
    first = findings.leader(findings.primary)
    caption = f"Margin of {first} over its strongest rival in each setting"
    if findings.baseline:
        caption = f"Margin of each setting's leader over {findings.baseline}"
    caption += ", as a share of the mean of both"
    return f"{caption}; {counted(lacking, 'setting')} without this comparison" if lacking else caption


def drawn_margins(findings: Findings) -> list[dict[str, Any]]:
    """The points of that chart, with the texts of their tooltips; none where settings are too many to draw."""
    if not margins_drawn(findings):
        return []
    points = []
    for row, held in margins(findings):
        sure = "below" if row.significant else "untested" if row.p_adjusted is None else "above"
        digits = findings.digits(row.setting)
        points.append(
            {
                "setting": findings.setting(row.setting).label,
                "primary": row.setting == findings.primary,
                "of": held.a,
                "over": held.b,
                "margin": held.margin,
                "sure": "uncalled" if row.refused else sure,
                "Margin": f"{signed(100 * held.margin, 1)}%" if held.margin is not None else ABSENT,
                "Difference": signed(held.difference, digits),
                "Effect": signed(held.effect, 2),
                "p": p_number(row.p_adjusted),
            }
        )
    return points


LETTERS = (
    "Systems that share a letter are not told apart by the study's first test; under another test there are no letters. "
)


def board_cells(findings: Findings, key: int, test: str) -> list[list[Cell]]:
    """The leaderboard of a setting, with p-values of a test; the script makes the same cells."""
    board, digits = findings.board(key), findings.digits(key)
    scale = explorer.reach([(row.value, row.low, row.high) for row in board])
    held, lettering = findings.held_pairs(key, test), test == findings.deciding_test(key)
    lines = []
    for row in board:
        pair = held.get(row.system)
        p = (
            cell("", "num")
            if pair is None
            else cell(data_p(p_number(pair.p_adjusted), pair.p_adjusted), "num", f"adjusted p {p_exactly(pair.p_adjusted)}")
        )
        lines.append(
            [
                cell(str(row.rank), "num"),
                cell(breakable(row.system), "name"),
                explorer.track((row.value, row.low, row.high), scale),
                cell(datum(number(row.value, digits), row.value), _value_class(row), exact(row.value)),
                cell(data_interval(interval(row.low, row.high, digits), row.low, row.high), "num"),
                *([cell(row.group if lettering else "", "group")] if findings.lettered else []),
                *([p] if findings.comparisons else []),
                cell(datum(percent(row.user_coverage), row.user_coverage), "num"),
                cell(filled(row), "num"),
                cell(count(row.users), "num"),
                cell(count(row.undefined), "num"),
                cell(datum(percent(row.unrated), row.unrated), "num"),
                cell(datum(number(row.rho, 4), row.rho), "num", exact(row.rho)),
                cell(datum(percent(row.tied), row.tied), "num"),
            ]
        )
    return lines


def _value_class(row: LeaderRow) -> str:
    """The class of a value: the first of a board stands out where it is saved too."""
    return "num strong best" if row.rank == 1 and row.value is not None else "num strong"


def board_heads(findings: Findings, key: int) -> list[Cell]:
    """The heads of that table; n is the metric's cut-off, where it has one."""
    scale = explorer.reach([(row.value, row.low, row.high) for row in findings.board(key)])
    setting = findings.setting(key)
    lower = "" if setting.higher_is_better else " (lower is better)"
    heads = {
        "scale": explorer.scale_head(scale, findings.digits(key)),
        "value": cell(breakable(setting.metric + lower), "num"),
    }
    left_out = {*(() if findings.lettered else ("Group",)), *(() if findings.comparisons else ("p adjusted",))}
    shown = [(text, cls, title) for text, cls, title in BOARD_HEADS if text not in left_out]
    return [heads.get(text, cell(with_depth(text, setting.metric), cls, title)) for text, cls, title in shown]


def leaderboard(findings: Findings, explored: Switchboard) -> Markup:
    """The explorer of a study: the leaderboard of the setting that is chosen."""
    key = findings.primary
    test = explored.tests[explored.start]
    tested = [("test", test)] if test and test != NO_TEST else []
    board = table(
        board_heads(findings, key), rows(board_cells(findings, key, test)), caption="Leaderboard", key="leaderboard"
    )
    against = f"the baseline {findings.baseline}" if findings.baseline else "the leader"
    note = (
        (LETTERS if findings.lettered else "")
        + (f"p adjusted: of the difference from {against}, under the test chosen. " if findings.comparisons else "")
        + "Users covered: users with at least one item that the system itself scored. Coverage@n: share of the top n "
        "that it filled itself, with → the share after fallback where that differs. Unrated@n: share of the top n "
        "without a test rating. ρ@n: precision to be expected of a random ranking of the same targets. Tied@n: share of "
        "the rated items in the top n whose score another target has too, so that the tie rule orders them."
    )
    items = terms([*protocol(findings.setting(key)), *tested])
    return explorer.section(explored, board=board, protocol=items, beside=[el("p", note, cls="note")])


def terms(choices: Sequence[tuple[str, str]]) -> Markup:
    """The choices behind a setting, as terms and descriptions."""
    return join(*(el("div", el("dt", stage), el("dd", breakable(text))) for stage, text in choices))


def pair_cells(row: PairRow, digits: int) -> list[Cell]:
    """A row of the table of pairs; the script makes the same cells."""
    return [
        cell(join(breakable(row.a), " − ", breakable(row.b)), "name"),
        cell(datum(signed(row.difference, digits), row.difference), "num strong", exact(row.difference)),
        cell(data_interval(interval(row.low, row.high, digits, sign=True), row.low, row.high), "num"),
        cell(datum(signed(row.effect, 2), row.effect), "num", exact(row.effect)),
        cell(datum(percent(row.superiority), row.superiority), "num"),
        cell(f"{count(row.wins)} / {count(row.ties)} / {count(row.losses)}", "num"),
        cell(figures_text(row), "num")
        if row.p is None and row.figures
        else cell(data_p(p_number(row.p), row.p), "num", f"p {p_exactly(row.p)}"),
        cell(data_p(p_number(row.p_adjusted), row.p_adjusted), "num strong", f"adjusted p {p_exactly(row.p_adjusted)}"),
        cell(users_text(row), "num"),
    ]


def pairs_note(findings: Findings, key: int, test: str) -> str:
    """What stands above the table of pairs; the script writes the same."""
    pairs = findings.against_others(key, test)
    what = note_on_test(pairs[0]) if pairs else f"{test}: no comparison"
    return f"{findings.setting(key).label}. {what}. {uncalled_note(findings.verdict_row(key))}".rstrip()


def pairwise(findings: Findings, left_out: str = "") -> Markup:
    """Differences between systems in the setting and under the test that the explorer chose; `left_out` says what the page
    lacks."""
    key = findings.primary
    tests = findings.tests(key)
    if not tests:
        return Markup()
    few = findings.count(key, tests[0]) <= PAIR_ROWS
    pairs = findings.pairs(key, tests[0]) if few else findings.against_others(key, tests[0])[:PAIR_ROWS]
    scope = el(
        "label",
        "Show ",
        el(
            "select",
            el("option", "the leader against the others", value="leader", selected=True),
            el("option", "all pairs", value="all"),
            id="scope",
        ),
        cls="control scripted",
    )
    scope = Markup() if findings.baseline else scope  # every pair is one with the baseline
    body = rows(pair_cells(row, findings.digits(key)) for row in pairs)
    return el(
        "section",
        el("h2", "Pairwise differences"),
        el("p", el("span", pairs_note(findings, key, tests[0]), id="pairs-note")),
        el("div", scope, cls="controls"),
        _chart("forest", "Differences with their intervals", "differences"),
        table([cell(*head) for head in PAIR_HEADS], body, caption="Pairwise differences", key="pairs"),
        el(
            "p",
            f"Effect d is the paired Cohen d. Hover over a p-value for its exact figure. {left_out}".rstrip(),
            cls="note",
        ),
        id="pairs-section",
    )


def _chart(key: str, label: str, name: str = "") -> Markup:
    """A place for a chart; without scripts it says so, and the tables hold the same numbers."""
    return el(
        "figure",
        el("figcaption", label),
        el("div", cls="plot", id=f"chart-{key}"),
        el("noscript", "The chart needs JavaScript; the table holds the same numbers."),
        data_figure=name or None,
    )
