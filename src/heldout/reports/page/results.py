"""The page's results: other settings, leaderboard, pairs. The script redraws two of these for other settings."""

from __future__ import annotations

from markupsafe import Markup

from heldout.analysis.facts import LeaderRow, PairRow, Setting
from heldout.analysis.verdict_rows import VerdictRow
from heldout.reports.captions import figures_text, filled, note_on_test, protocol, uncalled_note
from heldout.reports.page.markup import Cell, breakable, cell, el, join, rows, table
from heldout.reports.views import View
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
PAIR_ROWS = 500
"""Pairs written into the table of pairs; beyond, those of the leader."""

BOARD_HEADS = (
    ("#", "num", "Rank in this setting"),
    ("System", "", ""),
    ("", "num", ""),
    ("Interval", "num", "Confidence interval of the value"),
    ("Group", "", "Systems that share a letter are not told apart by the tests"),
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


def holds(view: View) -> Markup:
    """Every setting with its leader, and the pair that says whether the answer of the primary setting holds there."""
    facts = view.facts
    order = view.shown(MATRIX_COLUMNS)
    shown = sorted(view.contests, key=lambda s: s.id != view.primary.id)[:MATRIX_ROWS]
    body = [_holds_line(view, setting, order) for setting in shown]
    marked = [_holds_mark(view, setting) for setting in shown]
    pair = "Leader minus baseline" if facts.baseline else "Leader of the primary setting minus its strongest rival here"
    heads = [
        cell("Setting"),
        cell("Leader"),
        cell("Margin", "num", pair),
        cell("Significant", "", f"{pair}, adjusted p"),
    ]
    heads += [cell(breakable(system), "num") for system in order]
    return el(
        "section",
        el("h2", "Does it hold?" if facts.verdict.rows else "Settings"),
        _chart("spread", _spread_caption(view)),
        table(heads, rows(body, marked), caption="Leader of each setting", key="settings"),
        el("p", _holds_note(view, len(view.contests) - len(shown)), cls="note"),
        id="holds",
    )


def _holds_line(view: View, setting: Setting, order: list[str]) -> list[Cell]:
    """A setting: whether it has the same leader, the pair that decides it, and every system's value."""
    row, digits, leader = view.verdict(setting.id), view.digits(setting.id), view.alone(setting.id)
    primary = setting.id == view.primary.id
    word = "primary" if primary else _holds_word(row)
    sign = {"same": "✓ ", "other": "✗ "}.get(word, "")
    line = [
        cell(breakable(setting.label + ("" if setting.higher_is_better else " (lower is better)")), "label"),
        cell(sign + word, "word"),
    ]
    if row is None:
        line += [cell(ABSENT, "num"), cell(ABSENT, "nowrap")]
    else:
        held = view.held(row)
        sure = ABSENT if row.p_adjusted is None else "yes" if row.significant else "no"
        if row.refused:
            sure = "not called"
        elif row.p_adjusted is not None:
            sure = f"{sure}, {p_value(row.p_adjusted)}".replace(" ", "\u00a0")
        margin = join(signed(held.difference, digits), el("small", " over ", breakable(held.b)))
        line += [
            cell(margin, "num", f"{held.a} − {held.b}"),
            cell(sure, "nowrap", row.remark if row.refused else f"adjusted p {p_exactly(row.p_adjusted)}"),
        ]
    for system in order:
        first = system == leader
        value = number(view.value(setting.id, system), digits)
        hover = "leads in this setting" if first else ""
        line.append(cell(el("b", value) if first else value, "num lead" if first else "num", hover))
    return line


def _holds_word(row: VerdictRow | None) -> str:
    return ABSENT if row is None or row.answer == "uncalled" else row.answer


def _holds_mark(view: View, setting: Setting) -> str:
    row = view.verdict(setting.id)
    return "primary" if setting.id == view.primary.id else "other" if _holds_word(row) == "other" else ""


def _holds_note(view: View, more: int) -> str:
    facts, first = view.facts, view.leader(view.primary.id)
    if not facts.verdict.rows:
        return "No winner is called."
    note = "The leader's value is bold on a tint. "
    if facts.baseline:
        note += "Margins are the setting's leader minus the baseline."
        if any(row.leader == facts.baseline for row in facts.verdict.rows):
            note += " Where the baseline itself leads, minus the system named."
    else:
        note += f"Margins are {first} minus the best other system of the same setting."
        if any(first not in (row.leader, row.rival) for row in facts.verdict.rows):
            note += f" Where {first} has no value, they are the leader's over the runner-up."
    if refused := next((row.refused for row in facts.verdict.rows if row.refused), ""):
        note += f" Not called: the leader {refused}."
    if more > 0:
        note += f" {counted(more, 'more setting')} in the facts."
    if len(facts.systems) > MATRIX_COLUMNS:
        note += f" Of {count(len(facts.systems))} systems it shows the first of the primary setting and those that lead."
    return note


def _spread_caption(view: View) -> str:
    """What the chart of effects compares, and the settings it cannot show."""
    if not view.effects:
        return "Effect in each setting"
    lacking = len(view.contests) - len(view.effects)
    first = view.leader(view.primary.id)
    caption = f"Effect of {first} over its strongest rival in each setting"
    if view.facts.baseline:
        caption = f"Effect of each setting's leader over {view.facts.baseline}"
    return f"{caption}; {counted(lacking, 'setting')} without this comparison" if lacking else caption


def board_cells(row: LeaderRow, digits: int, *, lettered: bool = True) -> list[Cell]:
    """A leaderboard row; the script makes the same cells."""
    return [
        cell(str(row.rank), "num"),
        cell(breakable(row.system), "name"),
        cell(number(row.value, digits), "num strong", exact(row.value)),
        cell(interval(row.low, row.high, digits), "num"),
        *([cell(row.group, "group")] if lettered else []),
        cell(percent(row.user_coverage), "num"),
        cell(filled(row), "num"),
        cell(count(row.users), "num"),
        cell(count(row.undefined), "num"),
        cell(percent(row.unrated), "num"),
        cell(number(row.rho, 4), "num", exact(row.rho)),
        cell(percent(row.tied), "num"),
    ]


def leaderboard(view: View) -> Markup:
    """The leaderboard of one setting, chosen from a list."""
    key = view.primary.id
    heads = [
        cell(breakable(view.primary.metric) if i == 2 else text, cls, title)
        for i, (text, cls, title) in enumerate(BOARD_HEADS)
        if text != "Group" or view.lettered
    ]
    options = [
        el("option", s.label + (" (primary)" if s.id == key else ""), value=str(s.id), selected=s.id == key)
        for s in sorted(view.contests, key=lambda s: s.id != key)[:MATRIX_ROWS]
    ]
    chooser = el("label", "Setting ", el("select", *options, id="setting"), cls="control scripted")
    body = rows(board_cells(row, view.digits(key), lettered=view.lettered) for row in view.board(key))
    return el(
        "section",
        el("h2", "Leaderboard"),
        chooser,
        el("dl", protocol_items(view, key), id="protocol", cls="protocol"),
        _chart("board", "Value of each system with its interval"),
        table(heads, body, caption="Leaderboard", key="leaderboard"),
        el(
            "p",
            ("Systems that share a letter are not told apart by the tests. " if view.lettered else "")
            + "Users covered: users with at least one item that the system itself scored. Coverage@n: share of the top n "
            "that it filled itself, with → the share after fallback where that differs. Unrated@n: share of the top n "
            "without a test rating. ρ@n: precision to be expected of a random ranking of the same targets. Tied@n: share of "
            "the rated items in the top n whose score another target has too, so that the tie rule orders them.",
            cls="note",
        ),
        id="board-section",
    )


def protocol_items(view: View, key: int) -> Markup:
    """The choices behind a setting, as terms and descriptions."""
    items = [el("div", el("dt", stage), el("dd", breakable(text))) for stage, text in protocol(view.setting(key))]
    return join(*items)


def pair_cells(row: PairRow, digits: int) -> list[Cell]:
    """A row of the table of pairs; the script makes the same cells."""
    return [
        cell(join(breakable(row.a), " − ", breakable(row.b)), "name"),
        cell(signed(row.difference, digits), "num strong", exact(row.difference)),
        cell(interval(row.low, row.high, digits, sign=True), "num"),
        cell(signed(row.effect, 2), "num", exact(row.effect)),
        cell(percent(row.superiority), "num"),
        cell(f"{count(row.wins)} / {count(row.ties)} / {count(row.losses)}", "num"),
        cell(figures_text(row) or p_number(row.p), "num", "" if row.figures else f"p {p_exactly(row.p)}"),
        cell(p_number(row.p_adjusted), "num strong", f"adjusted p {p_exactly(row.p_adjusted)}"),
        cell(count(row.users), "num"),
    ]


def pairs_note(view: View, key: int, test: str) -> str:
    """What stands above the table of pairs; the script writes the same."""
    pairs = view.against_others(key, test)
    what = note_on_test(pairs[0]) if pairs else f"{test}: no comparison"
    return f"{view.setting(key).label}. {what}. {uncalled_note(view.verdict(key))}".rstrip()


def pairwise(view: View, left_out: str = "") -> Markup:
    """Differences between systems in the chosen setting under the chosen test; `left_out` says what the page lacks."""
    key = view.primary.id
    tests = view.tests(key)
    if not tests:
        return Markup()
    few = view.count(key, tests[0]) <= PAIR_ROWS
    pairs = view.pairs(key, tests[0]) if few else view.against_others(key, tests[0])[:PAIR_ROWS]
    every = list(dict.fromkeys(row.test for row in view.facts.comparisons))
    options = [el("option", t, value=t, selected=t == tests[0]) for t in every]
    chooser = el("label", "Test ", el("select", *options, id="test"), cls="control scripted")
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
    scope = Markup() if view.facts.baseline else scope  # every pair is one with the baseline
    body = rows(pair_cells(row, view.digits(key)) for row in pairs)
    return el(
        "section",
        el("h2", "Pairwise differences"),
        el("p", el("span", pairs_note(view, key, tests[0]), id="pairs-note")),
        el("div", chooser, scope, cls="controls"),
        _chart("forest", "Differences with their intervals"),
        table([cell(*head) for head in PAIR_HEADS], body, caption="Pairwise differences", key="pairs"),
        el(
            "p",
            f"Effect d is the paired Cohen d. Hover over a p-value for its exact figure. {left_out}".rstrip(),
            cls="note",
        ),
        id="pairs-section",
    )


def _chart(key: str, label: str) -> Markup:
    """A place for a chart; without scripts it says so, and the tables hold the same numbers."""
    return el(
        "figure",
        el("figcaption", label),
        el("div", cls="plot", id=f"chart-{key}"),
        el("noscript", "The chart needs JavaScript; the table holds the same numbers."),
    )
