"""The top of the page: the verdict's sentence and tiles that say who leads, by how much, how sure, and whether it holds."""

from __future__ import annotations

from markupsafe import Markup

from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow, user_counts
from heldout.reports.captions import correction_note
from heldout.reports.page.markup import breakable, el
from heldout.study.comparison import NO_TEST
from heldout.words import count, counted, interval, number, p_value, signed


def verdict(findings: Findings) -> Markup:
    """Who wins, by how much, how sure, and whether it holds: a sentence and four tiles."""
    return el(
        "section",
        el("h2", "Verdict", cls="quiet"),
        el("p", findings.verdict.sentence, cls="sentence"),
        *_tiles(findings),
        id="verdict",
    )


def _tiles(findings: Findings) -> list[Markup]:
    key = findings.primary
    board = findings.board(key)
    main = findings.verdict_row(key)
    if not board or (main is None and len(board) > 1):
        return []
    digits, name = findings.digits(key), findings.leader(key)
    leader = next(row for row in board if row.system == name)
    value = f"{number(leader.value, digits)} {interval(leader.low, leader.high, digits)}".strip()
    who: str = breakable(leader.system)
    lines = [value, findings.primary_setting.label]
    if main is not None and main.refused:
        who = "no winner is called"
        lines = [main.remark, f"ahead as users count here: {leader.system}, {value}", findings.primary_setting.label]
    elif main is not None and main.tie:
        who, lines = (
            "a tie",
            [f"{main.leader} and {main.rival}, {number(leader.value, digits)}", findings.primary_setting.label],
        )
    tiles = [("Who leads", who, lines)]
    pair = _first_pair(findings, key)
    # A margin and its p beside a winner that is not called would call it.
    if pair is not None and main is not None and not main.refused:
        tiles.append(
            (
                "By how much",
                signed(pair.difference, digits),
                [interval(pair.low, pair.high, digits, sign=True), f"over {pair.b}", f"effect d {signed(pair.effect, 2)}"],
            )
        )
        tiles.append(
            (
                "How sure",
                "not tested" if pair.test == NO_TEST else p_value(pair.p_adjusted),
                [
                    *(("nothing was tested",) if pair.test == NO_TEST else (pair.test, correction_note(pair))),
                    f"better for {count(pair.wins)} users, equal for {count(pair.ties)}, worse for {count(pair.losses)}",
                ],
            )
        )
    if len(findings.verdict.rows) > 1:
        tiles.append(("Does it hold?", *_holding(findings)))
    items = [
        el("div", el("dt", head), el("dd", big, cls="big"), *(el("dd", line) for line in lines if line))
        for head, big, lines in tiles
    ]
    return [el("dl", *items, cls="tiles")]


def _holding(findings: Findings) -> tuple[str, list[str]]:
    """In how many settings the primary leader leads, as a figure and the lines below it."""
    judged = findings.verdict
    settings, uncalled = len(judged.rows), len(judged.uncalled)
    if uncalled == settings:
        return "not called", [f"no winner is called in any of {counted(uncalled, 'setting')}"]
    sure = sum(row.significant for row in judged.holding)
    ahead = "beats the baseline significantly" if findings.baseline else "is significantly better"
    other, others = len(judged.contradicting), len(judged.on_other_users)
    apart = f"another leads and {ahead} in {other}" if other else "no other leads significantly"
    return f"{len(judged.holding)} of {settings}", [
        "settings have the same leader" + (f", {sure} of them significantly" if judged.tested else ""),
        apart if judged.tested else "no difference was tested",
        f"no winner is called in {uncalled}" if uncalled else "",
        f"{others} {'rests' if others == 1 else 'rest'} on other users ({user_counts(judged.on_other_users)})"
        if others
        else "",
    ]


def _first_pair(findings: Findings, key: int) -> PairRow | None:
    """The leader minus the system that the verdict holds it against, under the test that the verdict rests on."""
    row = findings.verdict_row(key)
    if row is None:
        return None
    pairs = [pair for test in findings.tests(key) if (pair := findings.pair(key, test, row.leader, row.rival)) is not None]
    return next((pair for pair in pairs if pair.p_adjusted is not None), pairs[0] if pairs else None)
