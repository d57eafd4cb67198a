"""The report of a study: a run, an evaluation or a comparison."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from heldout.analysis.details import GroupValues
from heldout.analysis.explored import Switchboard, explored_settings
from heldout.analysis.findings import Findings
from heldout.analysis.overview import beside_primary
from heldout.analysis.rows import LeaderRow, PairRow, Setting, VerdictRow
from heldout.experiment.run_sources import recorded_sources
from heldout.reports import profile, protocol
from heldout.reports.captions import BOUNDS, DESCRIPTIVE, note_on_test, system_entries, tuning_text, uncalled_note
from heldout.reports.charts import study as charts
from heldout.reports.columns import Column
from heldout.reports.document import (
    Block,
    Builders,
    Chart,
    Document,
    Explorer,
    Figure,
    Section,
    State,
    Switch,
    Table,
    Text,
)
from heldout.reports.picture_views import absences, gains_sentence, popularity_sentence
from heldout.reports.views import about_users, held_pair, leading_alone, systems_shown
from heldout.review.lint.finding import Review
from heldout.splits.sizes import SplitCounts
from heldout.study.comparison import NO_TEST
from heldout.words import count, counted, digits_for, metric_words, number, percent, short_names

MOST_STATES = 240
"""Combinations of a setting and a test that a page holds."""
MOST_SYSTEMS = 30
"""Systems with a column of their own."""
MOST_ROWS = 12
"""Rows of a long table that a page shows first."""
TRACKS, INTERVALS = 2, 4
"""Metrics up to which a leaderboard draws intervals, and prints them."""
EFFECTS = ((0.2, "a very small effect"), (0.5, "a small effect"), (0.8, "a medium effect"))


def document(findings: Findings, *, review: Review | None = None) -> Document:
    """Everything that a report shows; `review` is what lint finds in the protocol."""
    notices = protocol.notices(findings.notices, review)
    figures = charts.charts(findings)
    sections = (
        _leaderboard_section(findings, figures),
        _section("holds", "Does it hold?" if findings.verdict.rows else "Settings", _holds(findings, figures)),
        _section("pairs", "All pairs", _pairs(findings, figures)),
        _section("aggregations", "Aggregations", _table(aggregations(findings))),
        _section("users", "Users", _users(findings, figures)),
        _section("items", "Items", _items(findings, figures)),
        _section("curves", "Curves", _drawn(figures, "precision-recall", "roc", "curve")),
        _section("lists", "What the lists are like", _lists(findings, figures)),
        _section("costs", "Costs", _costs(findings, figures)),
    )
    return Document(
        kind="report",
        title=findings.title,
        facts=_facts(findings),
        answer=findings.verdict.answer,
        numbers=tuple(_numbers(findings)),
        figures=tuple(_strip(findings, len(notices), notices[0].title if notices else "")),
        main=leaderboard(findings),
        sections=tuple(section for section in sections if section is not None),
        notices=notices,
        appendix=protocol.appendix(findings, systems=_systems_section(findings), data=_data(findings), review=review),
        files="Every number is in facts.json, or in the tables next to it.",
        systems=tuple(_order(findings)),
    )


def tables(findings: Findings) -> Builders:
    """Tables that need no costly part of the findings."""
    return {
        "leaderboard": lambda: leaderboard(findings),
        "differences": lambda: differences(findings),
        "settings": lambda: settings(findings),
        "pairs": lambda: pairs(findings),
        "all-at-once": lambda: all_at_once(findings),
        "aggregations": lambda: aggregations(findings),
        "descriptive": lambda: descriptive(findings),
        "costs": lambda: costs(findings),
        "systems": lambda: systems(findings),
        "splits": lambda: splits(findings.splits),
        **protocol.tables(findings),
    }


def detail_tables(findings: Findings) -> Builders:
    """Tables of costly parts: groups of users and items, diagnostics and profiles of the data."""
    groups = {_kebab(group.title): partial(group_table, findings, group) for group in findings.pictures.groups}
    return {
        **groups,
        "popularity-shares": lambda: popularity_shares(findings),
        "diagnostics": lambda: diagnostics(findings),
        **profile.data_tables(findings.data),
    }


def _section(key: str, title: str, blocks: Iterable[Block], summary: str = "") -> Section | None:
    present = tuple(blocks)
    return Section(id=key, title=title, blocks=present, summary=summary) if present else None


def _table(table: Table | None) -> Iterator[Block]:
    if table is not None:
        yield table


def _drawn(figures: dict[str, Callable[..., Chart | None]], *names: str) -> Iterator[Block]:
    for name in names:
        chart = figures[name]() if name in figures else None
        if chart is not None:
            yield chart


# Top of the report


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
    row = findings.verdict_row(findings.primary)
    pair = None if row is None or row.refused else _decisive(findings, row)
    if row is not None and pair is not None:
        if row.effect is not None:
            size = next((words for most, words in EFFECTS if abs(row.effect) < most), "a large effect")
            yield Figure("How large is it?", f"d = {row.effect:.2f}", f"{size} (paired Cohen’s d)", "leaderboard")
        users = pair.wins + pair.ties + pair.losses
        if users:
            shares = f"{percent(pair.wins / users, 0)} gain, {percent(pair.losses / users, 0)} lose"
            equal = f"; {percent(pair.ties / users, 0)} see no change" if pair.ties else ""
            yield Figure("For whom?", shares, f"users, compared with {pair.b}{equal}", "users")
    if len(findings.verdict.rows) > 1:
        yield _failing(findings)
    if notices:
        yield Figure("What should I doubt?", counted(notices, "notice"), first_notice, "notices")


def _failing(findings: Findings) -> Figure:
    against = [row for row in findings.verdict.rows if row.answer == "other"]
    if not against:
        leads = len(findings.verdict.holding)
        return Figure(
            "Where does it fail?", "nowhere", f"leads in {leads} of {len(findings.verdict.rows)} settings", "holds"
        )
    row = next((row for row in against if row.significant), against[0])
    digits = findings.digits(row.setting)
    more = f", and in {counted(len(against) - 1, 'more setting')} another system" if len(against) > 1 else ""
    leads = f"{row.leader} leads by {number(abs(row.difference), digits)}{more}"
    return Figure("Where does it fail?", findings.setting(row.setting).label, leads, "holds")


def _decisive(findings: Findings, row: VerdictRow) -> PairRow | None:
    """The leader minus the system that the verdict compares it with, under the test that the verdict rests on."""
    found = [findings.pair(row.setting, test, row.leader, row.rival) for test in findings.tests(row.setting)]
    present = [pair for pair in found if pair is not None]
    return next((pair for pair in present if pair.p_adjusted is not None), present[0] if present else None)


def _order(findings: Findings) -> list[str]:
    """Systems by rank in the primary setting, then those without a value."""
    ranked = [row.system for row in findings.board(findings.primary)]
    return [*ranked, *(system for system in findings.systems if system not in set(ranked))]


# Leaderboard


def leaderboard(findings: Findings, setting: int | None = None, test: str | None = None) -> Table | None:
    """Systems × metrics of one protocol, sorted by the metric of the setting."""
    key = findings.primary if setting is None else setting
    board = findings.board(key)
    if not board:
        return None
    test = (findings.deciding_test(key) or "") if test is None else test
    metrics = beside_primary(findings, findings.setting(key))
    columns: list[Column] = [Column(name="System", kind="system")]
    cells: dict[str, list[Any]] = {"System": [row.system for row in board]}
    strong: set[tuple[int, str]] = set()
    for place, metric in enumerate(metrics):
        rows = {row.system: row for row in findings.board(metric.id)}
        own = [rows.get(row.system) for row in board]
        columns += _metric_columns(
            findings, metric, drawn=len(metrics) <= TRACKS, printed=place == 0 or len(metrics) <= INTERVALS
        )
        cells[metric.metric] = [row.value if row else None for row in own]
        cells[f"{metric.metric} interval"] = [_ends(row) for row in own]
        cells[f"{metric.metric} group"] = [
            row.group if row and test == findings.deciding_test(metric.id) else "" for row in own
        ]
        first = leading_alone(findings, metric.id)
        strong |= {(k, metric.metric) for k, row in enumerate(board) if row.system == first}
    if findings.comparisons:
        held = findings.held_pairs(key, test)
        columns.append(Column(name="p adjusted", kind="p", means="Of the difference from the leader, or from the baseline"))
        cells["p adjusted"] = [held[row.system].p_adjusted if row.system in held else None for row in board]
    for column, values in _coverage(findings.setting(key).metric, board):
        columns.append(column)
        cells[column.name] = values
    return Table(
        name="leaderboard",
        title="Leaderboard",
        caption=_board_caption(findings, key, test, metrics),
        columns=tuple(column for column in columns if column.name in cells),
        rows=tuple(zip(*(cells[column.name] for column in columns if column.name in cells), strict=True)),
        strong=frozenset(strong),
        subject="systems",
    )


def _metric_columns(findings: Findings, setting: Setting, *, drawn: bool, printed: bool) -> Iterator[Column]:
    name, digits = setting.metric, findings.digits(setting.id)
    head = metric_words(name) + ("" if setting.higher_is_better or setting.descriptive else " (lower is better)")
    interval = any(row.low is not None for row in findings.board(setting.id))
    group = head if interval and printed else ""
    better = "" if setting.descriptive else "higher" if setting.higher_is_better else "lower"
    yield Column(name=name, kind="value", head="Mean" if group else head, group=group, digits=digits, better=better)  # type: ignore[arg-type]
    if any(row.group for row in findings.board(setting.id)):
        yield Column(name=f"{name} group", kind="letters", group=group)
    if interval:
        head = f"{1 - findings.level:.0%} CI"
        track = name if drawn else ""
        yield Column(
            name=f"{name} interval", kind="interval", head=head, group=group, digits=digits, track=track, shown=printed
        )


def _ends(row: LeaderRow | None) -> tuple[float, float] | None:
    return None if row is None or row.low is None or row.high is None else (row.low, row.high)


def _coverage(metric: str, board: Sequence[LeaderRow]) -> Iterator[tuple[Column, list[Any]]]:
    """What stands behind the values: users, coverage, unrated and tied items, and what a random ranking would reach."""
    cut = "".join(re.findall(r"@\d+$", metric)) or "@n"
    columns = (
        ("users", "Users averaged", "count", "Users that the value averages over"),
        ("undefined", "Undefined", "count", "Users whose value the metric leaves undefined"),
        ("user_coverage", "Users covered", "share", "Users with at least one item that the system itself scored"),
        ("coverage", f"Coverage{cut}", "share", "Share of the first ranks that the system itself filled"),
        ("coverage_ranked", f"Filled{cut}", "share", "Share of the first ranks that are filled after the fallback"),
        ("unrated", f"Unrated{cut}", "share", "Share of the first ranks without a test rating"),
        ("rho", f"ρ{cut}", "value", "Expected precision of a random ranking of the same candidate items"),
        ("tied", f"Tied{cut}", "share", "Share of the rated items there whose score another candidate item has, too"),
    )
    for field, name, kind, means in columns:
        values = [getattr(row, field) for row in board]
        if field == "coverage_ranked" and values == [row.coverage for row in board]:
            continue
        if any(value is not None for value in values):
            yield Column(name=name, kind=kind, means=means, fold=True, digits=4 if kind == "value" else None), values  # type: ignore[arg-type]


def _board_caption(findings: Findings, key: int, test: str, metrics: Sequence[Setting]) -> str:
    """What the numbers are of: protocol, users, test and correction, and what letters and bold mean."""
    setting = findings.setting(key)
    stages = ("split", "target", "relevance", "fallback")
    said = "; ".join(f"{stage} {setting.choices[stage]}" for stage in stages if setting.choices.get(stage, "none") != "none")
    parts = [f"Sorted by {metric_words(setting.metric)}, {setting.aggregate} over users." if len(metrics) > 1 else ""]
    parts += [f"Protocol: {said}." if said else ""]
    pair = next(iter(findings.pairs(key, test)), None) if test else None
    if pair is not None and pair.test != NO_TEST:
        against = f"the baseline {findings.baseline}" if findings.baseline else "the leader"
        parts.append(f"p adjusted compares each system with {against} ({note_on_test(pair)}).")
    if test == findings.deciding_test(key) and any(row.group for row in findings.board(key)):
        parts.append(f"Systems that share a letter do not differ significantly at {findings.level:g}.")
    if any(leading_alone(findings, metric.id) for metric in metrics):
        parts.append("Bold: significantly better than every other system.")
    parts.append(uncalled_note(findings.verdict_row(key)))
    return " ".join(filter(None, parts))


def _leaderboard_section(findings: Findings, figures: dict[str, Callable[..., Chart | None]]) -> Section:
    explored = explored_settings(findings, findings.contests)
    first = tuple(_state_blocks(findings, figures, findings.primary, explored.tests[explored.start], repeated=True))
    if len(explored.codes) < 2 or not explored.switches:
        return Section(id="leaderboard", title="Leaderboard", blocks=first or (Text("No system has a value."),))
    chosen = _states_shown(explored)
    states = tuple(_state(findings, figures, explored, way) for way in chosen)
    switches = tuple(Switch(switch.name, switch.words, switch.options) for switch in explored.switches)
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


def _state(findings: Findings, figures: dict[str, Callable[..., Chart | None]], explored: Switchboard, way: int) -> State:
    setting = int(explored.number[way])
    leader = int(explored.leader[way])
    return State(
        codes=tuple(explored.codes[way].tolist()),
        blocks=(
            Text(explored.sentences[way]),
            *_state_blocks(findings, figures, setting, explored.tests[way], repeated=False),
        ),
        brief=explored.briefs[way],
        leader=explored.systems[leader] if leader >= 0 else "",
        signals={"current": findings.setting(setting).label},
    )


def _state_blocks(
    findings: Findings, figures: dict[str, Callable[..., Chart | None]], setting: int, test: str, *, repeated: bool
) -> Iterator[Block]:
    """What follows the switches: the leaderboard, and the leader against the others."""
    yield from _table(leaderboard(findings, setting, test))
    if test and test != NO_TEST:
        chart = figures["differences"](setting=setting, test=test) if "differences" in figures else None
        yield from () if chart is None else (chart,)
        yield from _table(differences(findings, setting, test))


def differences(findings: Findings, setting: int | None = None, test: str | None = None) -> Table | None:
    """The leader of a setting against each other system; with a baseline, each system against that."""
    key = findings.primary if setting is None else setting
    test = (findings.deciding_test(key) or next(iter(findings.tests(key)), "")) if test is None else test
    rows = findings.against_others(key, test) if test else []
    if not rows:
        return None
    held = f"the baseline {findings.baseline}" if findings.baseline else findings.leader(key)
    title = f"Each system against {held}" if findings.baseline else f"{held} against each other system"
    first = Column(name="System" if findings.baseline else "Against", kind="system")
    return Table(
        name="differences",
        title=title,
        caption=_pair_caption(findings, key, rows[0]),
        columns=(first, *_pair_columns(rows, findings.digits(key))),
        rows=tuple((row.a if findings.baseline else row.b, *_pair_cells(row, rows)) for row in rows),
        subject="pairs",
        most=MOST_ROWS,
    )


def pairs(findings: Findings) -> Table | None:
    """Every pair of systems of the primary setting under the deciding test."""
    key = findings.primary
    test = findings.deciding_test(key) or next(iter(findings.tests(key)), None)
    rows = findings.pairs(key, test) if test else []
    if not rows:
        return None
    return Table(
        name="pairs",
        title="Pairs of systems",
        caption=_pair_caption(findings, key, rows[0]),
        columns=(
            Column(name="System", kind="system"),
            Column(name="Against", kind="system"),
            *_pair_columns(rows, findings.digits(key)),
        ),
        rows=tuple((row.a, row.b, *_pair_cells(row, rows)) for row in rows),
        strong=frozenset((k, "Difference") for k, row in enumerate(rows) if row.significant(findings.level)),
        subject="pairs",
        most=MOST_ROWS,
    )


_FIGURES = {
    "better": ("P(better)", "share"),
    "equal": ("P(equal)", "share"),
    "worse": ("P(worse)", "share"),
    "rejected": ("Rejected", "share"),
    "non_zero": ("Non-zero", "count"),
}


def _figure_names(rows: Sequence[PairRow]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in sorted(row.figures)))


def _pair_columns(rows: Sequence[PairRow], digits: int) -> Iterator[Column]:
    yield Column(name="Difference", kind="value", digits=digits, signed=True)
    yield Column(name="Interval", kind="interval", head="CI", digits=digits, signed=True, means="Not adjusted")
    yield Column(name="Effect d", kind="value", digits=2, signed=True, means="Paired Cohen’s d")
    yield Column(name="Superior", kind="share", means="Users for whom the first system is better, ties counted half")
    yield Column(name="Better", kind="count", group="Users", means="Users for whom the first system is better")
    yield Column(name="Equal", kind="count", group="Users")
    yield Column(name="Worse", kind="count", group="Users")
    if any(row.p is not None for row in rows):
        yield Column(name="p", kind="p", means="Before correction")
        yield Column(name="p adjusted", kind="p", means="Corrected for the number of pairs")
    for name in _figure_names(rows):
        head, kind = _FIGURES.get(name, (name, "share"))
        yield Column(name=head, kind=kind)  # type: ignore[arg-type]
    yield Column(name="Users", kind="count", means="Users that the pair was tested on")


def _pair_cells(row: PairRow, rows: Sequence[PairRow]) -> Iterator[Any]:
    ends = None if row.low is None or row.high is None else (row.low, row.high)
    yield from (row.difference, ends, row.effect, row.superiority, row.wins, row.ties, row.losses)
    if any(other.p is not None for other in rows):
        yield from (row.p, row.p_adjusted)
    yield from (row.figures.get(name) for name in _figure_names(rows))
    yield row.users


def _pair_caption(findings: Findings, key: int, row: PairRow) -> str:
    setting = findings.setting(key)
    lower = "" if setting.higher_is_better else "; lower is better"
    said = f"Differences in {metric_words(setting.metric)}{lower} ({note_on_test(row)}). d is the paired Cohen’s d."
    return " ".join(filter(None, (said, uncalled_note(findings.verdict_row(key)))))


# Other settings


def _holds(findings: Findings, figures: dict[str, Callable[..., Chart | None]]) -> Iterator[Block]:
    if len(findings.contests) > 1:
        yield from _drawn(figures, "margins", "margin-curve", "settings")
        yield from _table(settings(findings))


def distinct_settings(findings: Findings) -> list[Setting]:
    """Settings in which users have different values, the primary one first; their labels name those that are identical."""
    from heldout.analysis.findings import distinct_contests

    return sorted(distinct_contests(findings), key=lambda setting: setting.id != findings.primary)


def settings(findings: Findings) -> Table | None:
    """Every distinct setting: who leads, the pair that decides whether the answer holds there, and all values."""
    shown = distinct_settings(findings)
    if len(findings.contests) < 2:
        return None
    order = systems_shown(findings, MOST_SYSTEMS)
    digits = [findings.digits(setting.id) for setting in shown]
    rows, strong = [], set()
    for k, setting in enumerate(shown):
        row = findings.verdict_row(setting.id)
        held = None if row is None else held_pair(findings, row)
        values = [findings.value(setting.id, system) for system in order]
        lower = "" if setting.higher_is_better else " (lower is better)"
        rows.append(
            (
                setting.label + lower,
                None if row is None or row.answer in ("uncalled", "tie") else row.leader,
                None if held is None else held.b,
                None if held is None else held.difference,
                None if row is None or row.refused else row.p_adjusted,
                _remark(row),
                *values,
            )
        )
        first = leading_alone(findings, setting.id)
        strong |= {(k, system) for system in order if system == first}
    short = short_names(order)
    columns = (
        Column(name="Setting", kind="text", lines=True),
        Column(name="Leader", kind="system"),
        Column(name="Against", kind="system"),
        Column(name="Margin", kind="value", digits=digits, signed=True),
        Column(name="p adjusted", kind="p"),
        Column(name="Remark", kind="text"),
        *(Column(name=system, head=short[system], kind="value", digits=digits) for system in order),
    )
    return Table(
        name="settings",
        title="Leader of each setting",
        caption=_settings_caption(findings),
        columns=columns,
        rows=tuple(rows),
        strong=frozenset(strong),
        marked=frozenset({0}),
        subject="settings",
        most=MOST_ROWS,
    )


def _remark(row: VerdictRow | None) -> str | None:
    if row is None:
        return "nothing to compare"
    remarks = [f"not called: {row.remark}" if row.refused else "tie" if row.tie else ""]
    remarks.append(f"{count(row.other_users)} other users" if row.other_users else "")
    return "; ".join(filter(None, remarks)) or None


def _settings_caption(findings: Findings) -> str:
    """Which difference the margin is, and what bold means."""
    first = findings.leader(findings.primary)
    if not findings.verdict.rows:
        return "No winner is called."
    margin = f"{first} minus the best other system of the setting"
    if findings.baseline:
        margin = f"the setting's leader minus the baseline {findings.baseline}"
    elif any(first not in (row.leader, row.rival) for row in findings.verdict.rows):
        margin += f"; if {first} has no value, the leader minus the runner-up"
    refused = next((row.refused for row in findings.verdict.rows if row.refused), "")
    parts = [
        f"The first row is the primary setting. Margin: {margin}.",
        "Bold: significantly better than every other system.",
        f"Not called: the leader {refused}." if refused else "",
        about_users(findings),
    ]
    if len(findings.systems) > MOST_SYSTEMS:
        parts.append(f"{MOST_SYSTEMS} of {count(len(findings.systems))} systems: the first ones and those that lead.")
    return " ".join(filter(None, parts))


# Pairs, aggregations


def _pairs(findings: Findings, figures: dict[str, Callable[..., Chart | None]]) -> Iterator[Block]:
    if len(findings.systems) > 2:
        yield from _drawn(figures, "pairwise-matrix", "critical-difference")
        yield from _table(pairs(findings))
    yield from _table(all_at_once(findings))


def all_at_once(findings: Findings) -> Table | None:
    """Tests of all systems at once in the primary setting."""
    layouts = findings.layouts_of(findings.primary)
    if not layouts:
        return None
    columns = (
        Column(name="Test", kind="text", fold=False),
        Column(name="Statistic", kind="text", fold=False),
        Column(name="Value", kind="value", digits=2),
        Column(name="p", kind="p"),
        Column(name="Critical difference", kind="value", digits=3),
        Column(name="Users", kind="count"),
    )
    rows = tuple((row.test, row.name, row.statistic, row.p, row.critical, row.users) for row in layouts)
    caption = "p: that no system differs from another. Systems differ significantly if their places differ by more than the critical difference."
    return Table(name="all-at-once", title="Tests of all systems at once", caption=caption, columns=columns, rows=rows)


def aggregations(findings: Findings) -> Table | None:
    """The primary setting under every aggregation, side by side."""
    compared = findings.aggregations(findings.primary)
    if len(compared) < 2:
        return None
    boards = [{row.system: row for row in findings.board(setting.id)} for setting in compared]
    columns = [Column(name="System", kind="system")]
    for setting in compared:
        columns += [
            Column(
                name=setting.aggregate,
                kind="value",
                head="Value",
                group=setting.aggregate,
                digits=findings.digits(setting.id),
            ),
            Column(name=f"{setting.aggregate} rank", kind="count", head="Rank", group=setting.aggregate, fold=False),
        ]
    rows = []
    for system in _order(findings):
        own = [board.get(system) for board in boards]
        rows.append((system, *(v for row in own for v in ((row.value, row.rank) if row else (None, None)))))
    metric = metric_words(findings.primary_setting.metric)
    caption = f"{metric} of the same users. If the order changes, say which aggregation you mean."
    return Table(
        name="aggregations",
        title="Aggregations side by side",
        caption=caption,
        columns=tuple(columns),
        rows=tuple(rows),
        subject="systems",
    )


# Users and items


def _users(findings: Findings, figures: dict[str, Callable[..., Chart | None]]) -> Iterator[Block]:
    pictures = findings.pictures
    chart = figures["user-differences"]() if "user-differences" in figures else None
    if chart is not None and pictures.differences is not None:
        yield chart
        yield Text(gains_sentence(pictures.differences), note=True)
    yield from _drawn(figures, "user-activity", "warm-users", "user-columns")
    yield from (group_table(findings, group) for group in pictures.groups if not group.by.startswith("item"))
    if pictures.absent:
        yield Text(f"Not shown: {absences(pictures)}.", note=True)


def _items(findings: Findings, figures: dict[str, Callable[..., Chart | None]]) -> Iterator[Block]:
    yield from _drawn(figures, "item-popularity", "item-columns")
    yield from (group_table(findings, group) for group in findings.pictures.groups if group.by.startswith("item"))
    yield from _drawn(figures, "recommended-popularity")
    yield from _table(popularity_shares(findings))


def group_table(findings: Findings, group: GroupValues) -> Table:
    """A value of every system on groups of users, or with groups of items."""
    place = {system: k for k, system in enumerate(_order(findings))}
    order = sorted(range(len(group.systems)), key=lambda k: place.get(group.systems[k], len(place)))
    digits = digits_for(value for values in group.values for value in values)
    columns = [Column(name="System", kind="system")]
    for name, users in zip(group.groups, group.users, strict=True):
        columns.append(Column(name=name, kind="value", head=f"{name} ({counted(users, 'user')})", digits=digits))
        if group.low:
            columns.append(Column(name=f"{name} interval", kind="interval", digits=digits, shown=False))
    rows = []
    for k in order:
        cells: list[Any] = [group.systems[k]]
        for j, value in enumerate(group.values[k]):
            cells.append(value)
            if group.low:
                low, high = group.low[k][j], group.high[k][j]
                cells.append(None if low is None or high is None else (low, high))
        rows.append(tuple(cells))
    return Table(
        name=_kebab(group.title),
        title=group.title,
        caption=f"{metric_words(group.metric)}. {group.means}",
        columns=tuple(columns),
        rows=tuple(rows),
        subject="systems",
    )


def popularity_shares(findings: Findings) -> Table | None:
    """How popular what systems recommend is."""
    shares = findings.pictures.popularity
    if shares is None:
        return None
    place = {system: k for k, system in enumerate(_order(findings))}
    named = list(zip(shares.names, shares.shares, strict=True))
    ordered = sorted(named[: shares.systems], key=lambda entry: place.get(entry[0], len(place)))
    columns = (Column(name="Share of", kind="system"), *(Column(name=c, kind="share", fold=False) for c in shares.classes))
    rows = tuple((name, *values) for name, values in (*ordered, *named[shares.systems :]))
    caption = popularity_sentence(shares)
    return Table(
        name="popularity-shares", title="Popularity of recommended items", caption=caption, columns=columns, rows=rows
    )


# Lists and costs


def _lists(findings: Findings, figures: dict[str, Callable[..., Chart | None]]) -> Iterator[Block]:
    yield from _drawn(figures, "accuracy-beyond")
    yield from _table(descriptive(findings))
    yield from _table(diagnostics(findings))


def descriptive(findings: Findings) -> Table | None:
    """Every descriptive metric and bound under every protocol, a column for each system."""
    shown = [setting for setting in findings.descriptive if setting.id != findings.primary]
    if not shown:
        return None
    order = systems_shown(findings, MOST_SYSTEMS)
    digits = [findings.digits(setting.id) for setting in shown]
    short = short_names(order)
    columns = (
        Column(name="Metric", kind="text", lines=True),
        *(Column(name=system, head=short[system], kind="value", digits=digits) for system in order),
    )
    rows = tuple((s.label, *(findings.value(s.id, system) for system in order)) for s in shown)
    notes = [DESCRIPTIVE] if any(not s.bound for s in shown) else []
    notes += [BOUNDS] if any(s.bound for s in shown) else []
    title = "Bounds of values" if all(s.bound for s in shown) else "Descriptive metrics"
    return Table(
        name="descriptive",
        title=title,
        caption=" ".join(notes),
        columns=columns,
        rows=rows,
        subject="metrics",
        most=MOST_ROWS,
    )


def diagnostics(findings: Findings) -> Table | None:
    """Diagnostics of lists, by protocol."""
    if not findings.diagnostics:
        return None
    short = short_names(findings.systems)
    columns = (
        Column(name="Diagnostic", kind="text", fold=False),
        Column(name="Protocol", kind="text", lines=True),
        *(Column(name=system, head=short[system], kind="value", digits=4) for system in findings.systems),
        Column(name="Users", kind="count", means="Users with a value in every system"),
    )
    rows = tuple((row.metric, row.label, *row.values, row.users) for row in findings.diagnostics)
    return Table(name="diagnostics", title="Diagnostics", columns=columns, rows=rows, subject="diagnostics", most=MOST_ROWS)


def _costs(findings: Findings, figures: dict[str, Callable[..., Chart | None]]) -> Iterator[Block]:
    yield from _drawn(figures, "cost-quality")
    yield from _table(costs(findings))


def costs(findings: Findings) -> Table | None:
    """What fitting and scoring took."""
    if not findings.costs:
        return None
    by_system = {cost.system: cost for cost in findings.costs}
    columns = (
        Column(name="System", kind="system"),
        Column(name="Fit", kind="seconds", fold=False),
        Column(name="Score", kind="seconds", fold=False, means="Scoring and ranking all users"),
        Column(name="Memory", kind="bytes", means="The most memory of the process, with libraries and ratings"),
    )
    own = [(system, by_system[system]) for system in _order(findings) if system in by_system]
    folds = max(cost.folds for cost in findings.costs)
    caption = (
        f"Measured on the machine that the manifest names{f', all {folds} folds together' if folds > 1 else ''}, without the "
        "compilation of kernels. Costs differ from run to run."
    )
    return Table(
        name="costs",
        title="Costs of each system",
        caption=caption,
        columns=columns,
        rows=tuple((system, cost.fit, cost.score, cost.memory) for system, cost in own),
        subject="systems",
    )


# Appendix


def _data(findings: Findings) -> tuple[Section, ...]:
    table = splits(findings.splits)
    section = _section("splits", "Splits", _table(table), counted(len(findings.splits), "fold"))
    data = profile.data_section(findings.data) if findings.data else None
    return tuple(part for part in (data, section) if part is not None)


def splits(folds: Sequence[SplitCounts]) -> Table | None:
    """Each fold: sizes, tested users, what was dropped and what an audit found."""
    if not folds:
        return None
    columns = (
        Column(name="Split", kind="text", fold=False),
        Column(name="Data", kind="text"),
        Column(name="Fold", kind="count", fold=False),
        Column(name="Train", kind="count", fold=False),
        Column(name="Test", kind="count", fold=False),
        Column(name="Test share", kind="share", fold=False),
        Column(name="Users tested", kind="text", lines=True, fold=False),
        Column(name="Dropped", kind="text", lines=True),
        Column(name="Leaks", kind="text", lines=True),
    )
    rows = tuple(
        (
            fold.split,
            f"{fold.data} · {fold.filter}" if fold.filter not in ("", "none") else fold.data,
            fold.fold,
            fold.train,
            fold.test,
            fold.test_share,
            _tested(fold),
            "; ".join(f"{reason}: {count(n)}" for reason, n in fold.dropped) or "none",
            _leaks(fold),
        )
        for fold in folds
    )
    return Table(name="splits", title="Splits", columns=columns, rows=rows, subject="folds", most=MOST_ROWS)


def _tested(fold: SplitCounts) -> str:
    """How many users are tested, and how many each rule leaves."""
    several = len({relevance for relevance, _ in fold.chosen}) > 1
    chains = []
    for relevance, steps in fold.chosen:
        chain = " → ".join(f"{rule} {count(n)}" for rule, n in steps)
        chains.append(f"{chain} ({relevance})" if several else chain)
    return "; ".join(dict.fromkeys(chains)) or count(fold.users)


def _leaks(fold: SplitCounts) -> str | None:
    """What an audit of the fold found, and its further parts."""
    parts = []
    later = fold.audit.get("train_later")
    if later is not None:
        parts.append(f"train later than test with probability {number(later, 2)}")
    for key, what in (("cold_user_ratings", "by new users"), ("cold_item_ratings", "on new items")):
        if cold := fold.audited_share(key):
            parts.append(f"{percent(cold)} of test {what}")
    if fold.validation:
        parts.append(f"{count(fold.validation)} validation ratings")
    if fold.development:
        parts.append(f"{count(fold.development)} development users")
    return "; ".join(parts) or ("none" if fold.audit else None)


def _systems_section(findings: Findings) -> Section | None:
    return _section("systems", "Systems", _table(systems(findings)), counted(len(findings.systems), "system"))


def systems(findings: Findings) -> Table | None:
    """Every system with all its parameters and how they were chosen, or the file of each run."""
    entries = system_entries(findings)
    if not entries:
        sources = recorded_sources(findings.manifest)
        if sources is None:
            return None
        columns = (
            Column(name="Run", kind="system"),
            Column(name="File", kind="text", lines=True, fold=False),
            Column(name="Description", kind="text", lines=True),
        )
        rows = tuple((name, run.file or "a table in memory", run.description or None) for name, run in sources.runs.items())
        return Table(name="systems", title="Runs", columns=columns, rows=rows, subject="runs")
    columns = (
        Column(name="System", kind="system"),
        Column(name="Model, every parameter written out", kind="text", lines=True, fold=False),
        Column(name="How chosen", kind="text", lines=True),
    )
    models = tuple(
        (
            str(entry.get("name", "")),
            str(entry.get("model", "")),
            tuning_text(entry["tuning"]) if entry.get("tuning") else "as given",
        )
        for entry in entries
    )
    return Table(name="systems", title="Systems of the study", columns=columns, rows=models, subject="systems")


def _kebab(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
