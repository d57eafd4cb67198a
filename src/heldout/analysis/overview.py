"""Systems × metrics in one table: accuracy, what lists are like and coverage, all under the primary protocol.

Seconds are no part of it: the same study gives the same report wherever and however often it runs. The manifest has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heldout.analysis.facts import Facts, LeaderRow, Setting


@dataclass(frozen=True, kw_only=True)
class OverviewColumn:
    """One number of every system."""

    part: str
    """What it tells of: Accuracy, Beyond accuracy or Coverage."""
    name: str
    means: str
    """What the name does not say; empty where it says all."""
    form: str
    """How its numbers are printed: value or percent."""
    values: tuple[float | None, ...]
    """By system, in the order of the overview."""
    best: tuple[bool, ...]
    """Whether a system has the best value; nowhere where neither high nor low is better."""
    letters: tuple[str, ...] = ()
    """By system, letters shared by those that the tests cannot tell apart; empty where nothing was tested."""


@dataclass(frozen=True)
class Overview:
    """All numbers of the primary protocol, systems in the order of the primary setting."""

    systems: tuple[str, ...]
    columns: tuple[OverviewColumn, ...]


def overview(facts: Facts) -> Overview:
    """The overview of a study; every column stands in the facts, and none is computed anew."""
    boards: dict[int, dict[str, LeaderRow]] = {}
    for row in facts.leaderboard:
        boards.setdefault(row.setting, {})[row.system] = row
    primary = next(setting for setting in facts.settings if setting.id == facts.primary)
    own = sorted(boards.get(primary.id, {}).values(), key=lambda row: row.rank)
    systems = (*(row.system for row in own), *(s for s in facts.systems if s not in boards.get(primary.id, {})))
    columns = [_metric_column(setting, boards, systems) for setting in _beside(facts, primary)]
    columns += _coverage_columns(boards.get(primary.id, {}), systems)
    return Overview(systems, tuple(columns))


def _beside(facts: Facts, primary: Setting) -> list[Setting]:
    """The primary protocol's settings, one for each metric: contests first, then metrics that describe lists."""
    alike = [s for s in facts.settings if s.choices == primary.choices and s.coverage == primary.coverage and not s.bound]
    chosen: dict[tuple[bool, str], Setting] = {}
    for setting in alike:
        contest = setting.aggregate == primary.aggregate and not setting.descriptive
        if contest or setting.descriptive:
            chosen.setdefault((setting.descriptive, setting.metric), setting)
    return sorted(chosen.values(), key=lambda s: (s.id != primary.id, s.descriptive))


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
