"""The report of a study: a run, an evaluation or a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from heldout.analysis.explored import Switch as Choices
from heldout.analysis.explored import Switchboard, explored_settings
from heldout.analysis.findings import Findings
from heldout.analysis.rows import PairRow, VerdictRow
from heldout.reports import protocol, study_tables
from heldout.reports.charts.study import charts, curves
from heldout.reports.document import (
    Block,
    Builders,
    Charts,
    Document,
    Explorer,
    Figure,
    Section,
    State,
    Switch,
    Text,
    drawn,
    present,
    section,
)
from heldout.reports.profile import profile_table
from heldout.reports.views import absences
from heldout.review.lint.finding import Review
from heldout.study.comparison import NO_TEST
from heldout.text.names import metric_words, option_words, short_names
from heldout.text.numbers import counted, number, percent

MOST_STATES = 240
"""Combinations of a setting and a test that a page holds."""
PRIMARY = "Primary setting: the answer above was measured here."
EFFECTS = ((0.2, "a very small effect"), (0.5, "a small effect"), (0.8, "a medium effect"))


def document(findings: Findings, *, review: Review | None = None) -> Document:
    """Everything that a report shows; `review` is what lint finds in the protocol."""
    notices = protocol.notices(findings.notices, review)
    figures = charts(findings)
    sections = present(
        (
            _leaderboard_section(findings),
            section("holds", "Does it hold?" if findings.verdict.rows else "Settings", *_holds(findings, figures)),
            section("pairs", "All pairs", *_pairs(findings, figures)),
            section("aggregations", "Aggregations", study_tables.aggregations(findings)),
            section("users", "Users", *_users(findings, figures)),
            section("items", "Items", *_items(findings, figures)),
            section("curves", "Curves", *drawn(figures, "precision-recall", "roc"), *curves(findings)),
            section(
                "lists",
                "What the lists are like",
                *drawn(figures, "accuracy-beyond"),
                study_tables.descriptive(findings),
                study_tables.diagnostics(findings),
            ),
            section("costs", "Costs", *drawn(figures, "cost-quality"), study_tables.costs(findings)),
        )
    )
    ids = {"notices", *(part.id for part in sections)}
    systems, folds = counted(len(findings.systems), "system"), counted(len(findings.splits), "fold")
    questions = _strip(findings, len(notices), notices[0].title if notices else "")
    return Document(
        kind="report",
        title=findings.title,
        facts=_facts(findings),
        answer=findings.verdict.answer,
        numbers=tuple(_numbers(findings)),
        figures=tuple(figure if figure.target in ids else replace(figure, target="leaderboard") for figure in questions),
        main=study_tables.leaderboard(findings),
        sections=sections,
        notices=notices,
        appendix=protocol.appendix(
            findings,
            systems=section("systems", "Systems", study_tables.systems(findings), summary=systems),
            splits=section("splits", "Splits", study_tables.splits(findings.splits), summary=folds),
            review=review,
        ),
        files="Every number is in facts.json, or in the tables next to it.",
        systems=tuple(study_tables.ranked_systems(findings)),
    )


def tables(findings: Findings) -> Builders:
    """Tables that need no costly part of the findings."""
    return {
        "leaderboard": lambda: study_tables.leaderboard(findings),
        "differences": lambda: study_tables.differences(findings),
        "settings": lambda: study_tables.settings(findings),
        "pairs": lambda: study_tables.pairs(findings),
        "all-at-once": lambda: study_tables.all_at_once(findings),
        "aggregations": lambda: study_tables.aggregations(findings),
        "descriptive": lambda: study_tables.descriptive(findings),
        "costs": lambda: study_tables.costs(findings),
        "systems": lambda: study_tables.systems(findings),
        "splits": lambda: study_tables.splits(findings.splits),
        "choices": lambda: protocol.choices(findings.choices),
        "manifest": lambda: protocol.manifest(findings.manifest),
    }


def detail_tables(findings: Findings) -> Builders:
    """Tables of costly parts: groups of users and items, diagnostics and profiles of the data."""
    groups = {
        study_tables.kebab(group.title): partial(study_tables.group_table, findings, group)
        for group in findings.pictures.groups
    }
    return {
        **groups,
        "popularity-shares": lambda: study_tables.popularity_shares(findings),
        "diagnostics": lambda: study_tables.diagnostics(findings),
        "profile": lambda: profile_table(findings.data),
    }


def _facts(findings: Findings) -> tuple[str, ...]:
    distinct = sum(setting.same_as is None for setting in findings.contests)
    settings = counted(len(findings.contests), "setting")
    settings += f", {distinct} distinct" if distinct < len(findings.contests) else ""
    board = findings.board(findings.primary)
    users = counted(board[0].users, "user") if board else ""
    task = f"task {findings.task}" if findings.task else ""
    systems_counted = counted(len(findings.systems), "system")
    return tuple(filter(None, (task, systems_counted, settings, users, f"seed {findings.seed}")))


def _numbers(findings: Findings) -> Iterator[Text]:
    if findings.verdict.numbers:
        yield Text(findings.verdict.numbers)
    if findings.verdict.note:
        yield Text(findings.verdict.note, note=True)


def _strip(findings: Findings, notices: int, first_notice: str) -> Iterator[Figure]:
    """How large the difference is, for whom, where it fails, and what to doubt."""
    row = findings.verdict_row(_answered(findings))
    pair = None if row is None or row.refused or row.tie else _decisive(findings, row)
    if row is not None and pair is not None:
        if row.effect is not None:
            size = next((words for most, words in EFFECTS if abs(row.effect) < most), "a large effect")
            yield Figure("How large is it?", f"d = {row.effect:.2f}", f"{size} (paired Cohen’s d)", "leaderboard")
        users = pair.wins + pair.ties + pair.losses
        if users:
            shares = f"{percent(pair.wins / users, 0)} gain, {percent(pair.losses / users, 0)} lose"
            equal = f"; {percent(pair.ties / users, 0)} see no change" if pair.ties else ""
            yield Figure(
                "For whom?", shares, f"users, compared with {short_names(findings.systems)[pair.b]}{equal}", "users"
            )
    if row is not None and not row.refused and not row.tie:
        yield from _failing(findings)
    if notices:
        yield Figure("What should I doubt?", counted(notices, "notice"), first_notice, "notices")


def _answered(findings: Findings) -> int:
    """The setting that the answer is about; `Results.at` may show another one first."""
    return findings.verdict.rows[0].setting if findings.verdict.rows else findings.primary


def _failing(findings: Findings) -> Iterator[Figure]:
    """In which settings another system leads; nothing if there is no answer that could fail."""
    distinct = {setting.id for setting in findings.contests if setting.same_as is None}
    rows = [row for row in findings.verdict.rows if row.setting in distinct]
    against = [row for row in rows if row.answer == "other"]
    if not against:
        held = sum(row.answer == "same" for row in rows)
        if len(rows) > 1 and any(row.significant for row in rows[:1]):
            yield Figure("Where does it fail?", "nowhere", f"leads in {held} of {counted(len(rows), 'setting')}", "holds")
        return
    row = next((row for row in against if row.significant), against[0])
    where = findings.verdict.exception or findings.setting(row.setting).words
    short = short_names(findings.systems)
    more = f"; another system leads in {len(against)} settings" if len(against) > 1 else ""
    sure = "" if row.significant else ", not tested" if row.p_adjusted is None else ", not significantly"
    leads = f"{short[row.leader]} leads by {number(abs(row.difference), findings.digits(row.setting))}{sure}{more}"
    yield Figure("Where does it fail?", where, leads, "holds")


def _decisive(findings: Findings, row: VerdictRow) -> PairRow | None:
    """The leader minus the system that the verdict compares it with, under the test that the verdict rests on."""
    found = [findings.pair(row.setting, test, row.leader, row.rival) for test in findings.tests(row.setting)]
    present = [pair for pair in found if pair is not None]
    return next((pair for pair in present if pair.p_adjusted is not None), present[0] if present else None)


def _leaderboard_section(findings: Findings) -> Section:
    explored = explored_settings(findings, findings.contests)
    first = _state_blocks(findings, findings.primary, explored.tests[explored.start])
    if len(explored.codes) < 2 or not explored.switches:
        return Section(id="leaderboard", title="Leaderboard", blocks=first or (Text("No system has a value."),))
    chosen = _states_shown(explored)
    states = tuple(_state(findings, explored, way) for way in chosen)
    switches = tuple(Switch(switch.name, switch.words, switch.options, _labels(switch)) for switch in explored.switches)
    explorer = Explorer(switches=switches, states=states, start=chosen.index(explored.start), noun=explored.noun)
    missing = len(explored.codes) - len(chosen)
    note = f"{counted(missing, f'more {explored.noun}')} are in the table all-leaderboards." if missing else ""
    return Section(id="leaderboard", title="Leaderboard", blocks=(explorer, *((Text(note, note=True),) if note else ())))


def _states_shown(explored: Switchboard) -> list[int]:
    """The combinations that a page holds: all, or those that differ least from the first."""
    codes, start = explored.codes, explored.start
    changes = (codes != codes[start]).sum(axis=1)
    nearest = sorted(range(len(codes)), key=lambda way: (int(changes[way]), way))[:MOST_STATES]
    return sorted(nearest)


def _labels(switch: Choices) -> tuple[str, ...]:
    """The options of a switch as people read them."""
    return tuple(map(metric_words if switch.name == "metric" else option_words, switch.options))


def _state(findings: Findings, explored: Switchboard, way: int) -> State:
    setting = int(explored.number[way])
    leader = int(explored.leader[way])
    return State(
        codes=tuple(explored.codes[way].tolist()),
        blocks=(
            Text(PRIMARY if way == explored.start and setting == _answered(findings) else explored.sentences[way]),
            *_state_blocks(findings, setting, explored.tests[way]),
        ),
        brief=explored.briefs[way],
        leader=explored.systems[leader] if leader >= 0 else "",
        signals={"current": setting},
    )


def _state_blocks(findings: Findings, setting: int, test: str) -> tuple[Block, ...]:
    """What follows the switches: the leaderboard, and the leader against the others."""
    tested = test not in ("", NO_TEST)
    differences = study_tables.differences(findings, setting, test) if tested else None
    return present((study_tables.leaderboard(findings, setting, test), differences))


def _holds(findings: Findings, figures: Charts) -> Iterator[Block | None]:
    if len(findings.contests) > 1:
        yield from drawn(figures, "margins") or drawn(figures, "margin-curve")
        yield study_tables.settings(findings)


def _pairs(findings: Findings, figures: Charts) -> Iterator[Block | None]:
    if len(findings.systems) > 2:
        yield from drawn(figures, "pairwise-matrix")
        several_per_letter = any(len(group) > 1 for group in findings.groups(findings.primary).values())
        if several_per_letter or findings.layouts_of(findings.primary):
            yield from drawn(figures, "critical-difference")
        yield study_tables.pairs(findings)
    yield study_tables.all_at_once(findings)


def _users(findings: Findings, figures: Charts) -> Iterator[Block]:
    pictures = findings.pictures
    yield from drawn(figures, "user-differences", "user-activity", "warm-users", "user-columns")
    groups = [group for group in pictures.groups if not group.by.startswith("item")]
    yield from (study_tables.group_table(findings, group) for group in groups)
    if pictures.absent:
        yield Text(f"Not shown: {absences(pictures)}.", note=True)


def _items(findings: Findings, figures: Charts) -> Iterator[Block | None]:
    yield from drawn(figures, "item-popularity", "item-columns")
    groups = [group for group in findings.pictures.groups if group.by.startswith("item")]
    yield from (study_tables.group_table(findings, group) for group in groups)
    yield from drawn(figures, "recommended-popularity")
    yield study_tables.popularity_shares(findings)
