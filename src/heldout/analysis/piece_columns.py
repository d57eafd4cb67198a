"""What the values of a piece of users add up to: columns that merge over pieces.

Of each column: how many users, their weight, mean and spread, merged along the fixed tree of
`heldout.aggregations.merged_moments`. A column is named by what it is of: a setting and a system, the differences of a pair,
or whom a system covers. Counts are columns of which only the users matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from heldout.aggregations.coverage.intersection import Intersection
from heldout.aggregations.coverage.zero import UncoveredAsZero
from heldout.aggregations.merged_moments import group_leaves, merge_tree
from heldout.aggregations.values import UserValues
from heldout.analysis.alignment import AlignedScores
from heldout.analysis.settings import SettingChoice, setting_choices
from heldout.analysis.statistics import SettingAggregation
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.significance.differences import ROUNDING
from heldout.significance.pairs import system_pairs
from heldout.study.analysis import Analysis
from heldout.tables.arrays import Bool, Float64, Int64
from heldout.tables.id_hash import groups_of, hash_ids


def unmergeable(analysis: Analysis, systems: int) -> str:
    """Why some setting cannot be worked out from sums; empty where all can."""
    for choice in setting_choices(analysis):
        if choice.metric.per_user and not (choice.aggregation.is_mean or choice.aggregation.pools_ratios):
            return f"{choice.aggregation} of {choice.metric} needs the values of all users at once"
    if any(metric.direction == "none" for metric in analysis.metrics):
        return "diagnostics are averaged over the users whom all systems have"
    tests = analysis.compare.tests if systems > 1 else ()
    return next((f"{test} needs the values of all users at once" for test in tests if not test.merges), "")


@dataclass(frozen=True, eq=False, kw_only=True)
class PieceColumns:
    """The columns of one piece of users under one protocol."""

    moments: dict[str, Float64]
    """By name: users, weight, squared weights, mean and spread."""
    sums: dict[str, Float64]
    """By name, of the groups of the piece: sums of values; and under `#name` the users."""
    longest: tuple[float, ...]
    """By system, the length of the longest list."""
    refused: dict[str, str]
    """Settings, by their number, that do not apply to the values."""
    own_denominators: bool
    """Whether ratios are pooled whose denominators differ between systems: then systems cannot be compared by sums."""


@dataclass(eq=False, kw_only=True)
class _GroupedColumns:
    """Columns of users by group; `order` has the users of all groups, one group after the other."""

    order: Int64
    starts: Int64
    moments: dict[str, Float64] = field(default_factory=dict)
    sums: dict[str, Float64] = field(default_factory=dict)

    def add(
        self, name: str, kept: Bool, values: Float64 | None = None, weights: Float64 | None = None, *, sums: bool = False
    ) -> None:
        """A column of the kept users; without values only their number matters."""
        leaves, totals = group_leaves(values, kept, weights, self.order, self.starts)
        self.moments[name] = merge_tree(leaves[:, None]).stacked()[:, 0]
        if sums:
            self.sums[name], self.sums[f"#{name}"] = totals, leaves[0]


def piece_columns(analysis: Analysis, table: AlignedScores, groups: range) -> PieceColumns:
    """All columns of the users of a piece, who belong to these groups."""
    of_user = groups_of(hash_ids(table.user_ids))
    order = np.argsort(of_user, kind="stable")
    starts = np.searchsorted(of_user[order], np.arange(groups.start, groups.stop + 1))
    columns, everybody = _GroupedColumns(order=order, starts=starts), np.ones(len(table), dtype=np.bool_)
    columns.add("users", everybody)
    columns.add("served", np.logical_and.reduce(table.served))
    test, relevant = table.counts["test"], table.counts["relevant"]
    columns.add("tested", test > 0)
    columns.add("without relevant", (test > 0) & (relevant == 0))
    columns.add("not relevant", test != relevant)
    listed = table.length > 0
    columns.add("listed differently", np.logical_or.reduce(listed) & ~np.logical_and.reduce(listed))
    own = {str(metric) for metric in analysis.metrics}
    for k in range(len(table.systems)):
        columns.add(f"covered {k}", table.computed[k] > 0)
        columns.add(f"empty {k}", ~listed[k])
        for m, name in enumerate(table.metrics):
            if name not in own:
                values = table.values[k, m]
                columns.add(f"share {k} {name}", ~np.isnan(values), values)
    refused, own_denominators = {}, False
    for number, choice in enumerate(setting_choices(analysis)):
        if not choice.metric.per_user:
            for k, included in enumerate(choice.coverage.included(list(table.length))):
                columns.add(f"included {number} {k}", included)
        elif str(choice.metric) in table.metrics:
            try:
                own_denominators |= _add_setting(columns, analysis, table, number, choice)
            except NotApplicableError as error:
                refused[str(number)] = error.problem
    return PieceColumns(
        moments=columns.moments,
        sums=columns.sums,
        longest=tuple(float(lengths.max(initial=0)) for lengths in table.length),
        refused=refused,
        own_denominators=own_denominators,
    )


def _add_setting(
    columns: _GroupedColumns, analysis: Analysis, table: AlignedScores, number: int, choice: SettingChoice
) -> bool:
    """Add the columns of a setting; whether each system divides by a denominator of its own, so that nothing was added."""
    setting = SettingAggregation(
        table=table,
        target=make("target", table.protocol.target),
        metric=choice.metric,
        aggregation=choice.aggregation,
        undefined=choice.undefined,
        baseline=analysis.compare.baseline,
    )
    prepared = setting.user_values(choice.coverage)
    kept, scaled = prepared.kept, _scaled(prepared)
    common, weights = common_users(choice), prepared.weights
    if weights is not None and weights.ndim == 2:
        return True
    raw = table.values[:, table.metrics.index(str(choice.metric))]
    for k in range(len(table.systems)):
        columns.add(f"system {number} {k}", kept[k], scaled[k], weights, sums=common)
        columns.add(f"undefined {number} {k}", prepared.included[k] & np.isnan(raw[k]))
    if choice.descriptive:
        return False
    for name, rule in (("zero", UncoveredAsZero()), ("common", Intersection())):
        values = setting.user_values(rule)
        for k in range(len(table.systems)):
            columns.add(f"{name} {number} {k}", values.kept[k], _scaled(values)[k], values.weights)
    factors = weights if prepared.contributions else None
    if weights is not None and factors is None:
        columns.add(f"weights {number}", prepared.common, None, weights)
    # Of ratios that are pooled, users' contributions are compared, each user's once.
    tested = scaled if factors is None else scaled * factors
    for p, (a, b) in enumerate(compared_pairs(analysis, table.systems)):
        both = kept[a] & kept[b]
        d = tested[a] - tested[b]
        d[np.abs(d) <= ROUNDING * np.maximum(np.abs(tested[a]), np.abs(tested[b]))] = 0.0
        columns.add(f"pair {number} {p}", both, d, weights if factors is None else None, sums=not common)
        columns.add(f"greater {number} {p}", both & (d > 0))
        columns.add(f"less {number} {p}", both & (d < 0))
        if factors is not None:
            columns.add(f"divided {number} {p}", both, None, factors)
        if not common:
            columns.add(f"a {number} {p}", both, scaled[a], weights)
            columns.add(f"b {number} {p}", both, scaled[b], weights)
    return False


def _scaled(prepared: UserValues) -> Float64:
    """Systems × users on the scale that is averaged, 0 for a user to skip."""
    return prepared.by.transform(np.where(np.isnan(prepared.values), 0.0, prepared.values))


def common_users(choice: SettingChoice) -> bool:
    """Whether all systems are averaged on the same users, whatever the values."""
    return choice.undefined.as_zero and not choice.coverage.per_system


def compared_pairs(analysis: Analysis, systems: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of systems that are compared."""
    return system_pairs(systems, analysis.compare.baseline) if len(systems) > 1 else []
