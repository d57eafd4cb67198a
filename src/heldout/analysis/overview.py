"""Systems × metrics in one table: accuracy, what lists are like, coverage, all under the primary protocol, and costs.

Costs are measured and differ from run to run; everything else is the same wherever and however often a study runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heldout.analysis.findings import Findings
from heldout.analysis.rows import LeaderRow, Setting


@dataclass(frozen=True, kw_only=True)
class OverviewColumn:
    """One number of every system."""

    part: str
    """What it tells of: Accuracy, Beyond accuracy, Coverage or Cost."""
    name: str
    means: str
    """What the name does not say; empty if it says all."""
    form: str
    """How its numbers are printed: value, percent, seconds or bytes."""
    values: tuple[float | None, ...]
    """By system, in the order of the overview."""
    best: tuple[bool, ...]
    """True if a system has the best value; nowhere where neither high nor low is better."""
    letters: tuple[str, ...] = ()
    """By system, letters shared by those that the tests cannot tell apart; empty if nothing was tested."""


@dataclass(frozen=True)
class Overview:
    """All numbers of the primary protocol, systems in the order of the primary setting."""

    systems: tuple[str, ...]
    columns: tuple[OverviewColumn, ...]


@dataclass(frozen=True)
class TradeOff:
    """Accuracy of every system beside another number of it."""

    across: OverviewColumn
    up: OverviewColumn
    points: tuple[tuple[str, float, float], ...]
    """System, and its number across and up; who lacks one is left out."""


MOST_TRADE_OFFS = 4


def trade_offs(findings: Findings) -> list[TradeOff]:
    """The first metric against metrics beyond accuracy, the first few of them; none of fewer than two systems."""
    table = overview(findings)
    accuracy = [column for column in table.columns if column.part == "Accuracy"]
    beyond = [column for column in table.columns if column.part == "Beyond accuracy"][:MOST_TRADE_OFFS]
    pairs = [TradeOff(across, accuracy[0], _points(table, across, accuracy[0])) for across in beyond if accuracy]
    return [pair for pair in pairs if len(pair.points) > 1]


def cost_and_quality(findings: Findings) -> TradeOff | None:
    """The first metric against seconds of fitting and scoring; None if fewer than two systems have both."""
    table = overview(findings)
    spent = {cost.system: cost.fit + cost.score for cost in findings.costs}
    accuracy = next((column for column in table.columns if column.part == "Accuracy"), None)
    if accuracy is None:
        return None
    across = _cost_column("Fit and score time", "seconds", "", [spent.get(system) for system in table.systems])
    pair = TradeOff(across, accuracy, _points(table, across, accuracy))
    return pair if len(pair.points) > 1 else None


def _points(table: Overview, across: OverviewColumn, up: OverviewColumn) -> tuple[tuple[str, float, float], ...]:
    columns = zip(table.systems, across.values, up.values, strict=True)
    return tuple((system, x, y) for system, x, y in columns if x is not None and y is not None)


def overview(findings: Findings) -> Overview:
    """The overview of a study; every column stands in the facts, and none is computed anew."""
    boards: dict[int, dict[str, LeaderRow]] = {}
    for row in findings.leaderboard:
        boards.setdefault(row.setting, {})[row.system] = row
    primary = next(setting for setting in findings.settings if setting.id == findings.primary)
    own = sorted(boards.get(primary.id, {}).values(), key=lambda row: row.rank)
    systems = (*(row.system for row in own), *(s for s in findings.systems if s not in boards.get(primary.id, {})))
    columns = [_metric_column(setting, boards, systems) for setting in beside_primary(findings, primary)]
    columns += _coverage_columns(boards.get(primary.id, {}), systems)
    columns += _cost_columns(findings, systems)
    return Overview(systems, tuple(columns))


def beside_primary(findings: Findings, setting: Setting) -> list[Setting]:
    """One setting for each metric of a protocol, the given one first; contests before descriptive metrics."""
    alike = [s for s in findings.settings if s.choices == setting.choices and s.coverage == setting.coverage and not s.bound]
    by_metric: dict[tuple[bool, str], Setting] = {(setting.descriptive, setting.metric): setting}
    for other in alike:
        contest = other.aggregate == setting.aggregate and not other.descriptive
        if contest or other.descriptive:
            by_metric.setdefault((other.descriptive, other.metric), other)
    return sorted(by_metric.values(), key=lambda s: (s.id != setting.id, s.descriptive))


def _metric_column(setting: Setting, boards: dict[int, dict[str, LeaderRow]], systems: Sequence[str]) -> OverviewColumn:
    board = boards.get(setting.id, {})
    rows = [board.get(system) for system in systems]
    values = tuple(None if row is None else row.value for row in rows)
    letters = tuple("" if row is None else row.group for row in rows)
    return OverviewColumn(
        part="Beyond accuracy" if setting.descriptive else "Accuracy",
        name=setting.metric,
        means="" if setting.higher_is_better or setting.descriptive else "lower is better",
        form="value",
        values=values,
        best=(False,) * len(values) if setting.descriptive else _best(values, max if setting.higher_is_better else min),
        letters=letters if any(letters) else (),
    )


def _best(values: Sequence[float | None], choose: Callable[..., float]) -> tuple[bool, ...]:
    numbers = [v for v in values if v is not None]
    if len(numbers) < 2:
        return (False,) * len(values)
    return tuple(v is not None and v == choose(numbers) for v in values)


def _coverage_columns(board: dict[str, LeaderRow], systems: Sequence[str]) -> list[OverviewColumn]:
    shares = (
        ("Users covered", "user_coverage", "share of users with an item that the system itself scored"),
        ("Coverage@n", "coverage", "share of the top n that the system itself filled"),
        ("Unrated@n", "unrated", "share of the top n without a test rating"),
    )
    columns = []
    for name, share, means in shares:
        values = tuple(getattr(board[system], share) if system in board else None for system in systems)
        if any(value is not None for value in values):
            unmarked = (False,) * len(values)
            columns.append(
                OverviewColumn(part="Coverage", name=name, means=means, form="percent", values=values, best=unmarked)
            )
    return columns


def _cost_columns(findings: Findings, systems: Sequence[str]) -> list[OverviewColumn]:
    """Seconds and memory of fitting and scoring; nothing if they were not measured."""
    costs = {cost.system: cost for cost in findings.costs}
    if not costs:
        return []
    own = [costs.get(system) for system in systems]
    folds = max(cost.folds for cost in costs.values())
    all_folds = f", all {folds} folds together" if folds > 1 else ""
    columns = [
        _cost_column("Fit", "seconds", f"seconds of fitting{all_folds}", [c.fit if c else None for c in own]),
        _cost_column(
            "Score", "seconds", f"seconds of scoring and ranking{all_folds}", [c.score if c else None for c in own]
        ),
    ]
    memory = [c.memory if c else None for c in own]
    means = "the most memory that the process held meanwhile, with the interpreter, libraries and ratings"
    return [*columns, _cost_column("Memory", "bytes", means, memory)] if any(memory) else columns


def _cost_column(name: str, form: str, means: str, values: Sequence[float | None]) -> OverviewColumn:
    return OverviewColumn(part="Cost", name=name, means=means, form=form, values=tuple(values), best=(False,) * len(values))
