"""Tables of a study: leaderboard, pairs, settings, groups, lists, costs and the appendix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from heldout.analysis.details import GroupValues
from heldout.analysis.findings import Findings, distinct_contests
from heldout.analysis.overview import beside_primary
from heldout.analysis.rows import LeaderRow, PairRow, Setting, VerdictRow
from heldout.analysis.sentences import how_tested
from heldout.experiment.run_sources import recorded_sources
from heldout.reports.columns import Field, Kind, Source, fields_of
from heldout.reports.document import Table
from heldout.reports.views import (
    BOUNDS,
    DESCRIPTIVE,
    about_users,
    board_order,
    held_pair,
    popularity_sentence,
    protocol_sentence,
    system_entries,
    systems_shown,
    tuning_text,
    uncalled_note,
)
from heldout.splits.sizes import SplitCounts
from heldout.study.comparison import NO_TEST
from heldout.text.names import metric_words, short_names
from heldout.text.numbers import count, counted, digits_for, number, percent

MOST_SYSTEMS = 30
"""Systems with a column of their own."""
MOST_ROWS = 12
"""Rows of a long table that a page shows first."""
TRACKS, INTERVALS = 2, 4
"""Metrics up to which a leaderboard draws intervals, and prints them."""


_FIGURES: dict[str, tuple[str, Kind]] = {
    "better": ("P(better)", "share"),
    "equal": ("P(equal)", "share"),
    "worse": ("P(worse)", "share"),
    "rejected": ("Rejected", "share"),
    "non_zero": ("Non-zero", "count"),
}


def ranked_systems(findings: Findings) -> list[str]:
    """Systems by rank in the primary setting, then those without a value."""
    ranked = [row.system for row in findings.board(findings.primary)]
    return [*ranked, *(system for system in findings.systems if system not in set(ranked))]


def _system(findings: Findings, name: str, source: Source) -> Field:
    return Field(name, "system", source, names=short_names(findings.systems))


def leaderboard(findings: Findings, setting: int | None = None, test: str | None = None) -> Table | None:
    """Systems × metrics of one protocol, sorted by the metric of the setting."""
    key = findings.primary if setting is None else setting
    board = findings.board(key)
    if not board:
        return None
    test = (findings.deciding_test(key) or "") if test is None else test
    metrics = beside_primary(findings, findings.setting(key))
    fields = [_system(findings, "System", "system")]
    for place, metric in enumerate(metrics):
        lettered = test == findings.deciding_test(metric.id)
        printed = place == 0 or len(metrics) <= INTERVALS
        fields += _metric_fields(findings, metric, lettered=lettered, drawn=len(metrics) <= TRACKS, printed=printed)
    if findings.comparisons:
        held = findings.held_pairs(key, test)
        adjusted = {system: pair.p_adjusted for system, pair in held.items()}
        means = "Of the difference from the leader, or from the baseline"
        shown = any(p is not None for p in adjusted.values()) and not any(row.group for row in board)  # letters say as much
        fields.append(Field("p adjusted", "p", lambda row: adjusted.get(row.system), means, shown=shown))
    alone = {metric.metric: leading_alone(findings, metric.id) for metric in metrics}
    return Table.of_records(
        board,
        (*fields, *_coverage(findings.setting(key).metric, board)),
        name="leaderboard",
        title="Leaderboard",
        caption=_board_caption(findings, key, test, metrics),
        strong=frozenset((k, name) for name, first in alone.items() for k, row in enumerate(board) if row.system == first),
        subject="systems",
    )


def _metric_fields(findings: Findings, setting: Setting, *, lettered: bool, drawn: bool, printed: bool) -> Iterator[Field]:
    """The value, letters and interval of a metric, for the rows of any leaderboard."""
    name, digits = setting.metric, findings.digits(setting.id)
    rows = {row.system: row for row in findings.board(setting.id)}
    interval = any(row.low is not None for row in rows.values())
    head = metric_words(name) + ("" if setting.higher_is_better or setting.descriptive else " (lower is better)")
    group = head if interval and printed else ""
    better: Literal["", "higher", "lower"] = "" if setting.descriptive else "higher" if setting.higher_is_better else "lower"

    def of(system: str, attribute: str, absent: Any = None) -> Any:
        return getattr(rows.get(system), attribute, absent)

    def ends(row: LeaderRow) -> tuple[float, float] | None:
        low, high = of(row.system, "low"), of(row.system, "high")
        return None if low is None or high is None else (low, high)

    head = "Mean" if group else head
    yield Field(name, "value", lambda row: of(row.system, "value"), head=head, group=group, digits=digits, better=better)
    if any(row.group for row in rows.values()):
        yield Field(f"{name} group", "letters", lambda row: of(row.system, "group", "") if lettered else "", group=group)
    if interval:
        ci, track = f"{1 - findings.level:.0%} CI", name if drawn else ""
        yield Field(f"{name} interval", "interval", ends, head=ci, group=group, digits=digits, track=track, shown=printed)


def _coverage(metric: str, board: Sequence[LeaderRow]) -> Iterator[Field]:
    """What the values rest on: users, coverage, unrated and tied items, and what a random ranking would reach."""
    cut = "".join(re.findall(r"@\d+$", metric)) or "@n"
    facts: tuple[tuple[str, str, Kind, str], ...] = (
        ("users", "Users averaged", "count", "Users that the value averages over"),
        ("undefined", "Undefined", "count", "Users whose value the metric leaves undefined"),
        ("user_coverage", "Users covered", "share", "Users with at least one item that the system itself scored"),
        ("coverage", f"Coverage{cut}", "share", "Share of the first ranks that the system itself filled"),
        ("coverage_ranked", f"Filled{cut}", "share", "Share of the first ranks that are filled after the fallback"),
        ("unrated", f"Unrated{cut}", "share", "Share of the first ranks without a test rating"),
        ("rho", f"ρ{cut}", "value", "Expected precision of a random ranking of the same candidate items"),
        ("tied", f"Tied{cut}", "share", "Share of the rated items there whose score another candidate item has, too"),
    )
    for attribute, name, kind, means in facts:
        values = [getattr(row, attribute) for row in board]
        repeats = attribute == "coverage_ranked" and values == [row.coverage for row in board]
        shown = not repeats and any(value is not None for value in values)
        yield Field(name, kind, attribute, means, fold=True, digits=4 if kind == "value" else None, shown=shown)


def leading_alone(findings: Findings, setting: int) -> str | None:
    """The system that is significantly better than every other in a setting, if it may be called that."""
    board = [row for row in findings.board(setting) if row.value is not None]
    verdict = findings.verdict_row(setting)
    if verdict is None or not verdict.significant or verdict.leader != board[0].system:
        return None
    if any(row.group for row in board):
        shared = {letter for row in board[1:] for letter in row.group}
        return None if shared & set(board[0].group) else board[0].system
    return board[0].system if len(board) == 2 else None


def _board_caption(findings: Findings, key: int, test: str, metrics: Sequence[Setting]) -> str:
    """What the numbers are of: protocol, users, test and correction, and what letters and bold mean."""
    setting = findings.setting(key)
    parts = [f"Sorted by {metric_words(setting.metric)}, {setting.aggregate} over users." if len(metrics) > 1 else ""]
    parts.append(protocol_sentence(findings, setting))
    pair = next(iter(findings.pairs(key, test)), None) if test else None
    if findings.tests(key) == [NO_TEST]:
        parts.append("Nothing was tested.")
    elif pair is not None and any(row.group for row in findings.board(key)):
        if test == findings.deciding_test(key):
            parts += [f"Systems that share a letter do not differ significantly at {findings.level:g}.", how_tested(pair)]
    elif pair is not None:
        against = f"the baseline {findings.baseline}" if findings.baseline else "the leader"
        parts += [f"p adjusted compares each system with {against}.", how_tested(pair)]
    if any(leading_alone(findings, metric.id) for metric in metrics):
        parts.append("Bold: significantly better than every other system.")
    parts.append(uncalled_note(findings.verdict_row(key)))
    return " ".join(filter(None, parts))


def differences(findings: Findings, setting: int | None = None, test: str | None = None) -> Table | None:
    """The leader of a setting against each other system; with a baseline, each system against that."""
    key = findings.primary if setting is None else setting
    test = (findings.deciding_test(key) or next(iter(findings.tests(key)), "")) if test is None else test
    rows = findings.against_others(key, test) if test else []
    if not rows:
        return None
    short, leader = short_names(findings.systems), findings.leader(key)
    title = f"{short.get(leader or '', leader or '')} against each other system"
    if findings.baseline:
        title = f"Each system against the baseline {short[findings.baseline]}"
    first = _system(findings, "System", "a") if findings.baseline else _system(findings, "Against", "b")
    return Table.of_records(
        rows,
        (first, *_pair_fields(rows, findings.digits(key), findings.level)),
        name="differences",
        title=title,
        caption=_pair_caption(findings, key, rows[0]),
        subject="pairs",
        most=MOST_ROWS,
    )


def pairs(findings: Findings, setting: int | None = None) -> Table | None:
    """Every pair of systems of a setting under the deciding test."""
    key = findings.primary if setting is None else setting
    test = findings.deciding_test(key) or next(iter(findings.tests(key)), None)
    rows = findings.pairs(key, test) if test else []
    if not rows:
        return None
    systems = _system(findings, "System", "a"), _system(findings, "Against", "b")
    return Table.of_records(
        rows,
        (*systems, *_pair_fields(rows, findings.digits(key), findings.level)),
        name="pairs",
        charted=True,
        title="Pairs of systems",
        caption=_pair_caption(findings, key, rows[0]),
        strong=frozenset((k, "Difference") for k, row in enumerate(rows) if row.significant(findings.level)),
        subject="pairs",
        most=MOST_ROWS,
    )


def _pair_fields(rows: Sequence[PairRow], digits: int, level: float) -> Iterator[Field]:
    """What is known of pairs of systems; p-values and figures of tests only if a pair has them."""
    yield Field("Difference", "value", "difference", digits=digits, signed=True)
    yield Field(
        "Interval",
        "interval",
        ("low", "high"),
        "Not adjusted",
        head=f"{1 - level:.0%} CI",
        digits=digits,
        signed=True,
        track="Difference",
    )
    yield Field("Effect d", "value", "effect", "Paired Cohen’s d", digits=2, signed=True)
    yield Field("Superior", "share", "superiority", shown=False)  # people read it from the numbers of users
    yield Field("Better", "count", "wins", "Users for whom the first system is better", group="Users")
    yield Field("Equal", "count", "ties", group="Users")
    yield Field("Worse", "count", "losses", group="Users")
    if any(row.p is not None for row in rows):
        yield Field("p", "p", "p", "Before correction")
        yield Field("p adjusted", "p", "p_adjusted", "Corrected for the number of pairs")
    for name in dict.fromkeys(name for row in rows for name in sorted(row.figures)):
        head, kind = _FIGURES.get(name, (name, "share"))
        yield Field(head, kind, partial(_figure, name))
    yield Field("Users", "count", "users", "Users that the pair was tested on")


def _figure(name: str, row: PairRow) -> float | None:
    return row.figures.get(name)


def _pair_caption(findings: Findings, key: int, row: PairRow) -> str:
    setting = findings.setting(key)
    lower = "" if setting.higher_is_better else "; lower is better"
    said = f"Differences in {metric_words(setting.metric)}{lower}. {how_tested(row)} Effect d: paired Cohen’s d."
    return " ".join(filter(None, (said, uncalled_note(findings.verdict_row(key)))))


def distinct_settings(findings: Findings) -> list[Setting]:
    """Settings in which users have different values, the primary one first; their labels name those that are identical."""
    return sorted(distinct_contests(findings), key=lambda setting: setting.id != findings.primary)


def settings(findings: Findings) -> Table | None:
    """Every distinct setting: who leads, the pair that decides whether the answer holds there, and all values."""
    shown = distinct_settings(findings)
    if len(findings.contests) < 2:
        return None
    order = systems_shown(findings, MOST_SYSTEMS)
    digits = [findings.digits(setting.id) for setting in shown]
    verdicts = [findings.verdict_row(setting.id) for setting in shown]
    pairs = [held_pair(findings, row) if row else None for row in verdicts]
    leaders = [leading_alone(findings, setting.id) for setting in shown]
    names = short_names(findings.systems)
    first = findings.leader(findings.primary) or ""
    return Table.of_records(
        zip(shown, verdicts, pairs, strict=True),
        (
            Field("Setting", "text", lambda row: _setting_words(row[0]), lines=True),
            Field("Leader", "system", lambda row: _called_leader(row[1]), names=names, shown=not _sign_leads(findings)),
            Field(
                "Against" if findings.baseline else "Best other",
                "system",
                lambda row: row[2] and row[2].b,
                head="" if findings.baseline else f"Rival of {names.get(first, first)}",
                names=names,
            ),
            Field("Margin", "value", lambda row: row[2] and row[2].difference, digits=digits, signed=True),
            Field("p adjusted", "p", lambda row: _called_p(row[1]), shown=findings.verdict.tested),
            Field("Remark", "text", lambda row: _remark(row[1]), shown=any(map(_remark, verdicts))),
            *fields_of(order, lambda row, system: findings.value(row[0].id, system), digits=digits),
        ),
        name="settings",
        title="Leader of each setting",
        caption=_settings_caption(findings),
        strong=frozenset((k, system) for k, system in enumerate(leaders) if system in order),
        marked=frozenset({0}),
        subject="settings",
        most=MOST_ROWS,
    )


def _sign_leads(findings: Findings) -> bool:
    """True if margins are all those of the primary leader over its strongest rival, so that their sign says who leads."""
    rows = [findings.verdict_row(setting.id) for setting in distinct_settings(findings)]
    first = findings.leader(findings.primary)
    called = all(row is not None and row.answer in ("same", "other") and first in (row.leader, row.rival) for row in rows)
    return called and findings.baseline is None and all(s.higher_is_better for s in findings.contests)


def _setting_words(setting: Setting) -> str:
    return setting.words + ("" if setting.higher_is_better else " (lower is better)")


def _called_leader(row: VerdictRow | None) -> str | None:
    return None if row is None or row.answer in ("uncalled", "tie") else row.leader


def _called_p(row: VerdictRow | None) -> float | None:
    return None if row is None or row.refused else row.p_adjusted


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
    margin = f"{short_names(findings.systems).get(first or '', first)} minus its strongest rival in each setting"
    if findings.baseline:
        margin = f"each setting's leader minus the baseline {findings.baseline}"
    elif any(first not in (row.leader, row.rival) for row in findings.verdict.rows):
        margin += ". If it has no value: the leader minus the runner-up"
    refused = next((row.refused for row in findings.verdict.rows if row.refused), "")
    parts = [
        f"The first row is the primary setting. Margin: {margin}.",
        "Below 0 the rival leads." if _sign_leads(findings) else "",
        "Bold: significantly better than every other system.",
        f"Not called: the leader {refused}." if refused else "",
        about_users(findings),
    ]
    if len(findings.systems) > MOST_SYSTEMS:
        parts.append(f"{MOST_SYSTEMS} of {count(len(findings.systems))} systems: the first ones and those that lead.")
    return " ".join(filter(None, parts))


def all_at_once(findings: Findings, setting: int | None = None) -> Table | None:
    """Tests of all systems at once in a setting."""
    layouts = findings.layouts_of(findings.primary if setting is None else setting)
    if not layouts:
        return None
    return Table.of_records(
        layouts,
        (
            Field("Test", "text", "test"),
            Field("Statistic", "text", "name", fold=False),
            Field("Value", "value", "statistic", digits=2),
            Field("p", "p", "p"),
            Field("Critical difference", "value", "critical", digits=3),
            Field("Users", "count", "users"),
        ),
        name="all-at-once",
        title="Tests of all systems at once",
        caption="p: that no system differs from another. Systems differ significantly if their places differ by more than "
        "the critical difference.",
    )


def aggregations(findings: Findings) -> Table | None:
    """The primary setting under every aggregation, side by side."""
    compared = findings.aggregations(findings.primary)
    if len(compared) < 2:
        return None
    fields = [_system(findings, "System", str)]
    for setting in compared:
        rows, name = {row.system: row for row in findings.board(setting.id)}, setting.aggregate
        value, rank = (partial(_of_system, rows, attribute) for attribute in ("value", "rank"))
        fields.append(Field(name, "value", value, head="Value", group=name, digits=findings.digits(setting.id)))
        fields.append(Field(f"{name} rank", "count", rank, head="Rank", group=name, fold=False))
    metric = metric_words(findings.primary_setting.metric)
    return Table.of_records(
        ranked_systems(findings),
        fields,
        name="aggregations",
        title="Aggregations side by side",
        caption=f"{metric} of the same users. If the order changes, say which aggregation you mean.",
        subject="systems",
    )


def _of_system(rows: Mapping[str, LeaderRow], attribute: str, system: str) -> Any:
    return getattr(rows.get(system), attribute, None)


def group_table(findings: Findings, group: GroupValues) -> Table:
    """A value of every system on groups of users, or with groups of items."""
    place = {system: k for k, system in enumerate(ranked_systems(findings))}
    order = sorted(range(len(group.systems)), key=lambda k: place.get(group.systems[k], len(place)))
    digits = digits_for(value for values in group.values for value in values)
    fields = [_system(findings, "System", lambda k: group.systems[k])]
    for j, (name, users) in enumerate(zip(group.groups, group.users, strict=True)):
        head = f"{name} ({counted(users, 'user')})"
        fields.append(Field(name, "value", partial(_cell, group.values, j), head=head, digits=digits))
        if group.low:
            ends = partial(_cell_ends, group, j)
            fields.append(Field(f"{name} interval", "interval", ends, digits=digits, shown=False))
    return Table.of_records(
        order,
        fields,
        name=kebab(group.title),
        charted=True,
        title=group.title,
        caption=f"{metric_words(group.metric)}. {group.means}",
        subject="systems",
    )


def _cell(values: Sequence[Sequence[float | None]], column: int, row: int) -> float | None:
    return values[row][column]


def _cell_ends(group: GroupValues, column: int, row: int) -> tuple[float, float] | None:
    low, high = group.low[row][column], group.high[row][column]
    return None if low is None or high is None else (low, high)


def popularity_shares(findings: Findings) -> Table | None:
    """How popular what systems recommend is."""
    shares = findings.pictures.popularity
    if shares is None:
        return None
    classes = (Field(name, "share", k, fold=False) for k, name in enumerate(shares.classes, 1))
    return Table.of_records(
        [(name, *values) for name, values in board_order(findings, shares)],
        (_system(findings, "Share of", 0), *classes),
        name="popularity-shares",
        charted=True,
        title="Popularity of recommended items",
        caption=popularity_sentence(shares),
    )


def descriptive(findings: Findings) -> Table | None:
    """Every descriptive metric and bound under every protocol, a column for each system."""
    shown = [setting for setting in findings.descriptive if setting.id != findings.primary]
    if not shown:
        return None
    order = systems_shown(findings, MOST_SYSTEMS)
    digits = [findings.digits(setting.id) for setting in shown]
    notes = [DESCRIPTIVE] if any(not s.bound for s in shown) else []
    notes += [BOUNDS] if any(s.bound for s in shown) else []
    return Table.of_records(
        shown,
        (
            Field("Metric", "text", "words", lines=True),
            *fields_of(order, lambda setting, system: findings.value(setting.id, system), digits=digits),
        ),
        name="descriptive",
        title="Bounds of values" if all(s.bound for s in shown) else "Descriptive metrics",
        caption=" ".join(notes),
        subject="metrics",
        most=MOST_ROWS,
    )


def diagnostics(findings: Findings) -> Table | None:
    """Diagnostics of lists, by protocol."""
    if not findings.diagnostics:
        return None

    place = {system: k for k, system in enumerate(findings.systems)}
    return Table.of_records(
        findings.diagnostics,
        (
            Field("Diagnostic", "text", "metric"),
            Field("Protocol", "text", "label", lines=True),
            *fields_of(findings.systems, lambda row, system: row.values[place[system]], digits=4),
            Field("Users", "count", "users", "Users with a value in every system"),
        ),
        name="diagnostics",
        title="Diagnostics",
        subject="diagnostics",
        most=MOST_ROWS,
    )


def costs(findings: Findings) -> Table | None:
    """What fitting and scoring took."""
    if not findings.costs:
        return None
    by_system = {cost.system: cost for cost in findings.costs}
    folds = max(cost.folds for cost in findings.costs)
    together = f", all {folds} folds together" if folds > 1 else ""
    memory = "The most memory of the process, with libraries and ratings"
    return Table.of_records(
        [by_system[system] for system in ranked_systems(findings) if system in by_system],
        (
            _system(findings, "System", "system"),
            Field("Fit", "seconds", "fit", fold=False),
            Field("Score", "seconds", "score", "Scoring and ranking all users", fold=False),
            Field("Memory", "bytes", "memory", memory),
        ),
        name="costs",
        half=True,
        title="Costs of each system",
        caption=f"Measured on the machine that the manifest names{together}, without the compilation of kernels. "
        "Costs differ from run to run.",
        subject="systems",
    )


def splits(folds: Sequence[SplitCounts]) -> Table | None:
    """Each fold: sizes, tested users, what was dropped and what an audit found."""
    if not folds:
        return None
    return Table.of_records(
        folds,
        (
            Field("Split", "text", "split"),
            Field("Data", "text", _filtered),
            Field("Fold", "count", "fold", fold=False),
            Field("Train", "count", "train", fold=False),
            Field("Test", "count", "test", fold=False),
            Field("Test share", "share", "test_share", fold=False),
            Field("Users tested", "text", _tested, lines=True, fold=False),
            Field("Dropped", "text", _dropped, lines=True),
            Field("Leaks", "text", _leaks, lines=True),
        ),
        name="splits",
        title="Splits",
        subject="folds",
        most=MOST_ROWS,
    )


def _filtered(fold: SplitCounts) -> str:
    return fold.data if fold.filter in ("", "none") else f"{fold.data} · {fold.filter}"


def _dropped(fold: SplitCounts) -> str:
    return "; ".join(f"{reason}: {count(n)}" for reason, n in fold.dropped) or "none"


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


def systems(findings: Findings) -> Table | None:
    """Every system with all its parameters and how they were chosen, or the file of each run."""
    entries, sources = system_entries(findings), recorded_sources(findings.manifest)
    if entries:
        fields = (
            Field("System", "system", lambda entry: str(entry.get("name", ""))),
            Field(
                "Model, every parameter written out",
                "text",
                lambda entry: str(entry.get("model", "")),
                lines=True,
                fold=False,
            ),
            Field("How chosen", "text", _chosen, head="Parameters", lines=True),
        )
        return Table.of_records(entries, fields, name="systems", title="Systems of the study", subject="systems")
    if sources is None:
        return None
    fields = (
        Field("Run", "system", 0),
        Field("File", "text", lambda run: run[1].file or "a table in memory", lines=True, fold=False),
        Field(
            "Description",
            "text",
            lambda run: run[1].description or None,
            lines=True,
            shown=any(run.description for run in sources.runs.values()),
        ),
    )
    return Table.of_records(sources.runs.items(), fields, name="systems", title="Runs", subject="runs")


def _chosen(entry: Mapping[str, Any]) -> str:
    return tuning_text(entry["tuning"]) if entry.get("tuning") else "as given"


def kebab(text: str) -> str:
    """A title as the name of a table: "By activity of users" is by-activity-of-users."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
