"""Pictures of the primary setting: users who gain and lose, values by groups of users and items, curves, popularity.

Values on a group of users come the way that the leaderboard's do, from the aligned table of these users alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np

from heldout.analysis.alignment import AlignedScores
from heldout.analysis.details import (
    CLASSES_MEAN,
    CurveRow,
    DiagnosticRow,
    GroupValues,
    Pictures,
    PopularityShares,
    UserDifferences,
)
from heldout.analysis.rows import Setting, Verdict
from heldout.analysis.settings import AggregatedSetting
from heldout.errors import NotApplicableError
from heldout.study.analysis import Analysis
from heldout.tables import ProtocolKey
from heldout.tables.arrays import Bool, Float64
from heldout.tables.cell_scores import POPULARITY, CellScores, ItemGroups, Pictured, Points
from heldout.text.numbers import count

POINTS = 201
"""Users whose differences are drawn, of many spread evenly along their order."""
ACTIVITY_GROUPS = 4
OF_LISTS = ("item-popularity", "recommended-popularity", "precision-recall", "roc")
"""Pictures that need more of lists than values of users."""
PICTURES = ("user-differences", "user-activity", "warm-users", *OF_LISTS)
STREAMED = "values of users were too many to keep"
NOT_KEPT = "these results keep no curves and no groups of items"
NO_TRAIN = "the training ratings are not known"
NO_LISTS = (
    "there are no lists of this depth: targets of one relevant item each have none, "
    "and ranks that an earlier run kept in the folder are not made again (another --out makes them)"
)


def pictures_of(primary: AggregatedSetting, parts: Sequence[CellScores], verdict: Verdict) -> Pictures:
    """All pictures that the scores of a setting allow; why others are absent is said."""
    absent: dict[str, str] = {}
    groups: list[GroupValues] = []
    differences = None
    if not primary.metric.per_user:
        why = f"{primary.metric} is one number for a whole system"
        absent |= dict.fromkeys(("user-differences", "user-activity", "warm-users"), why)
    else:
        differences = _differences(primary, verdict)
        if differences is None:
            absent["user-differences"] = "there is no pair of systems with values of the same users"
        groups += _by_users(primary, absent)
        groups += _by_user_columns(primary, parts, absent)
    of_primary = [
        g
        for part in parts
        for g in part.pictured.value.item_groups
        if g.protocol == primary.protocol and g.system in primary.systems  # not one without values of the metric
    ]
    by_popularity = [g for g in of_primary if g.by == POPULARITY]
    for column in dict.fromkeys(g.by for g in of_primary):
        groups.append(_item_values([g for g in of_primary if g.by == column], primary.systems))
    if problem := next((part.pictured.value.problem for part in parts if part.pictured.value.problem), ""):
        absent["columns"] = problem
    if not by_popularity:
        counted_train = "train" in primary.in_memory.counts and not np.isnan(primary.in_memory.counts["train"]).any()
        absent["item-popularity"] = "recall has no meaning under this protocol" if counted_train else NO_TRAIN
    popularity = _popularity(by_popularity, primary.systems)
    if popularity is None:
        absent["recommended-popularity"] = absent.get("item-popularity", NO_LISTS)
    if all(part.pictured.value == Pictured() for part in parts):
        absent |= dict.fromkeys(OF_LISTS, NOT_KEPT)
    curves = {name: _curves(parts, primary, name) for name in ("CPR", "CROC")}
    if not curves["CPR"]:
        absent.setdefault("precision-recall", "it needs lists of several relevant items each")
    if not curves["CROC"]:
        absent.setdefault("roc", "it needs lists of all candidates")
    return Pictures(
        differences=differences,
        groups=tuple(groups),
        precision_recall=curves["CPR"],
        roc=curves["CROC"],
        popularity=popularity,
        absent=absent,
    )


def _differences(primary: AggregatedSetting, verdict: Verdict) -> UserDifferences | None:
    """The leader against its rival, user by user; None if no user has values of both."""
    row = next(iter(verdict.rows), None)
    systems = primary.systems
    if row is None or row.leader not in systems or row.rival not in systems:
        return None
    a, b = systems.index(row.leader), systems.index(row.rival)
    kept = primary.values.kept
    common = kept[a] & kept[b]
    if not common.any():
        return None
    by_user = primary.values.values[a, common] - primary.values.values[b, common]
    by_user = by_user if primary.values.higher_is_better else -by_user
    ordered = np.sort(by_user)[::-1]
    places = np.unique(np.round(np.linspace(0, len(ordered) - 1, min(POINTS, len(ordered)))).astype(np.int64))
    up, down = by_user[by_user > 0], by_user[by_user < 0]
    return UserDifferences(
        a=row.leader,
        b=row.rival,
        metric=str(primary.metric),
        users=len(by_user),
        wins=len(up),
        ties=len(by_user) - len(up) - len(down),
        losses=len(down),
        gain=float(up.mean()) if len(up) else None,
        loss=float(down.mean()) if len(down) else None,
        curve=tuple(ordered[places].tolist()),
    )


def _by_users(primary: AggregatedSetting, absent: dict[str, str]) -> Iterator[GroupValues]:
    """Values by activity, and of cold and warm users where there are both."""
    train = primary.in_memory.counts.get("train")
    if train is None or np.isnan(train).any():
        absent |= dict.fromkeys(("user-activity", "warm-users"), NO_TRAIN)
        return
    activity = activity_groups(train)
    if len(activity) > 1:
        means = "Users by their number of training ratings, in groups of about the same size. Values as in the leaderboard."
        yield from _user_values(primary, "user-activity", "By activity of users", means, activity, absent)
    else:
        absent["user-activity"] = "all tested users have the same number of training ratings"
    cold = train == 0
    if cold.any() and not cold.all():
        means = "Cold users have no training rating. Values as in the leaderboard."
        warmth = {"cold": cold, "warm": ~cold}
        yield from _user_values(primary, "warm-users", "Cold and warm users", means, warmth, absent)
    else:
        absent["warm-users"] = (
            "no tested user is without training ratings" if not cold.any() else "all tested users are cold"
        )


def activity_groups(train: Float64) -> dict[str, Bool]:
    """Label → users, by quartiles of their training ratings; who has none is a group, and equal numbers stay together.

    Example: 0, 1, 2, 2, 3, 9 ratings give "0", "1–2", "3" and "9".
    """
    groups: dict[str, Bool] = {}
    if (train == 0).any():
        groups["0"] = train == 0
    some = train[train > 0]
    if not len(some):
        return groups
    shares = np.arange(1, ACTIVITY_GROUPS + 1) / ACTIVITY_GROUPS
    below = 0.0
    for end in np.unique(np.quantile(some, shares, method="inverted_cdf")):
        members = (train > below) & (train <= end)
        groups[_range_label(train[members])] = members
        below = float(end)
    return groups


def _range_label(values: Float64) -> str:
    """ "12–40", or "12" where all are the same; averages over folds are rounded."""
    low, high = (count(round(float(end))) for end in (values.min(), values.max()))
    return low if low == high else f"{low}–{high}"


def _user_values(
    primary: AggregatedSetting, by: str, title: str, means: str, groups: Mapping[str, Bool], absent: dict[str, str]
) -> Iterator[GroupValues]:
    """The value of each system on each group of users; nothing if the aggregation does not apply to a group."""
    try:
        tallies = [
            replace(primary, table=primary.in_memory.only(rows)).aggregate(primary.choice.coverage, primary.level).tallies
            for rows in groups.values()
        ]
    except NotApplicableError as error:
        absent[by] = error.problem
        return
    systems = range(len(primary.systems))
    yield GroupValues(
        by=by,
        title=title,
        metric=str(primary.metric),
        means=means,
        groups=tuple(groups),
        users=tuple(int(rows.sum()) for rows in groups.values()),
        systems=primary.systems,
        ordered=by == "warm-users" or _ordered(groups),
        values=tuple(tuple(tally[k].value for tally in tallies) for k in systems),
        low=tuple(tuple(tally[k].low for tally in tallies) for k in systems),
        high=tuple(tuple(tally[k].high for tally in tallies) for k in systems),
    )


def _by_user_columns(
    primary: AggregatedSetting, parts: Sequence[CellScores], absent: dict[str, str]
) -> Iterator[GroupValues]:
    """Values by columns of the data set's table of users."""
    table = primary.in_memory
    of_rows = {user: row for row, user in enumerate(table.user_ids.to_list())} if len(parts) else {}
    members: dict[str, dict[str, Bool]] = {}
    for part in parts:
        scores = part.scores[0]
        if (
            scores.system != parts[0].scores[0].system
            or scores.protocol != primary.protocol
            or not part.pictured.value.user_groups
        ):
            continue
        rows = np.array([of_rows.get(user, -1) for user in part.users.decode(scores.users).to_list()], dtype=np.int64)
        for group in part.pictured.value.user_groups:
            own = members.setdefault(group.by, {}).setdefault(group.group, np.zeros(len(table), dtype=np.bool_))
            own[rows[group.members(len(rows)) & (rows >= 0)]] = True
    for column, groups in members.items():
        some = {name: rows for name, rows in groups.items() if rows.any()}
        means = f"Users by {column}, as the data set has it. Values as in the leaderboard."
        if len(some) > 1:
            yield from _user_values(primary, f"user-{kebab(column)}", f"By {column} of users", means, some, absent)


def _ordered(labels: Iterable[str]) -> bool:
    """True if groups are numbers or ranges of numbers."""
    return all(re.fullmatch(r"[−-]?[\d.,]+(–[−-]?[\d.,]+)?", label) for label in labels)


def kebab(name: str) -> str:
    """A name in lower case with hyphens: "zip code" is zip-code."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "column"


def _item_values(of_parts: Sequence[ItemGroups], systems: Sequence[str]) -> GroupValues:
    """Recall by groups of items, folds averaged; groups that no relevant test item is in are left out."""
    first = of_parts[0]
    by_popularity = first.by == POPULARITY
    own = {system: [g for g in of_parts if g.system == system] for system in systems}
    users = [sum(g.users[k] for g in own[first.system]) for k in range(len(first.groups))]
    kept = [k for k, n in enumerate(users) if n]
    said = (
        CLASSES_MEAN if by_popularity else f"Items by {first.by}, as the data set has it; an item may be in several groups."
    )
    return GroupValues(
        by="item-popularity" if by_popularity else f"item-{kebab(first.by)}",
        title="By popularity of items" if by_popularity else f"By {first.by} of items",
        metric=f"Recall@{first.n}",
        means=f"{said} Recall@{first.n} of the unchanged lists if only the relevant items of one group count, over users "
        "with such an item. Users without a list count as 0. Intervals are not known.",
        ordered=by_popularity or _ordered(first.groups),
        groups=tuple(first.groups[k] for k in kept),
        users=tuple(users[k] for k in kept),
        systems=tuple(system for system in systems if own[system]),
        values=tuple(tuple(_mean([g.recall[k] for g in own[system]]) for k in kept) for system in systems if own[system]),
    )


def _mean(values: Sequence[float]) -> float | None:
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else None


def _popularity(of_parts: Sequence[ItemGroups], systems: Sequence[str]) -> PopularityShares | None:
    """Shares of popularity classes in what systems recommend, folds averaged; None if lists were not kept."""
    own = {s: [g for g in of_parts if g.system == s and g.recommended] for s in systems}
    listed = [system for system in systems if own[system]]
    if not listed:
        return None
    first = own[listed[0]]
    rows = {system: [g.recommended for g in own[system]] for system in listed}
    rows |= {
        "relevant test ratings": [g.relevant for g in first],
        "training ratings": [g.train for g in first],
        "catalogue": [g.catalogue for g in first],
    }
    means = {name: np.mean(shares, axis=0) for name, shares in rows.items()}
    kept = [k for k in range(len(first[0].groups)) if any(shares[k] > 0 for shares in means.values())]
    return PopularityShares(
        n=first[0].n,
        classes=tuple(first[0].groups[k] for k in kept),
        names=tuple(means),
        shares=tuple(tuple(float(shares[k]) for k in kept) for shares in means.values()),
        systems=len(listed),
    )


def _curves(parts: Sequence[CellScores], primary: AggregatedSetting, metric: str) -> tuple[CurveRow, ...]:
    """One curve for each system under the primary protocol."""
    by_system: dict[str, list[Points]] = {}
    for part in parts:
        for points in part.pictured.value.curves:
            if points.protocol == primary.protocol and points.metric == metric and points.x:
                by_system.setdefault(points.system, []).append(points)
    return tuple(mean_curve(by_system[system], 0) for system in primary.systems if system in by_system)


def curve_rows(parts: Sequence[CellScores], settings: Sequence[Setting], systems: Sequence[str]) -> Iterator[CurveRow]:
    """One curve for each system and setting whose metric has one; several folds are averaged at the same x."""
    points_by_curve: dict[tuple[str, str, str], list[Points]] = {}
    for part in parts:
        for points in part.curves:
            key = (repr(sorted(asdict(points.protocol).items())), points.metric, points.system)
            points_by_curve.setdefault(key, []).append(points)
    drawn = set()
    for setting in settings:
        protocol = repr(sorted(setting.choices.items()))
        if (protocol, setting.metric) in drawn:
            continue  # aggregations do not change a curve
        drawn.add((protocol, setting.metric))
        for system in systems:
            folds = [p for p in points_by_curve.get((protocol, setting.metric, system), []) if p.x]
            if folds:
                yield mean_curve(folds, setting.id)


def mean_curve(folds: Sequence[Points], setting: int) -> CurveRow:
    """One system's curve, the mean of its folds at the same x."""
    x, y = _mean_of_folds(folds)
    first = folds[0]
    return CurveRow(setting=setting, system=first.system, x_label=first.x_label, y_label=first.y_label, x=x, y=y)


def _mean_of_folds(folds: Sequence[Points]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    if len(folds) == 1:
        return folds[0].x, folds[0].y
    grid = np.linspace(0, 1, 101)
    grid = grid[(grid >= max(p.x[0] for p in folds)) & (grid <= min(p.x[-1] for p in folds))]
    y = np.mean([np.interp(grid, p.x, p.y) for p in folds], axis=0)
    return tuple(grid.tolist()), tuple(y.tolist())


def diagnostic_rows(
    analysis: Analysis, protocols: Sequence[ProtocolKey], table_of: Callable[[ProtocolKey], AlignedScores]
) -> Iterator[DiagnosticRow]:
    """Each diagnostic under each protocol, over the users that have a value in every system.

    A diagnostic that needs the same users at every depth is averaged over the users with a value at all of its depths.
    """
    diagnostics = [m for m in analysis.metrics if m.direction == "none"]
    choices = [asdict(protocol) for protocol in protocols]
    varying = [key for key in (choices[0] if choices else ()) if len({c[key] for c in choices}) > 1]
    for protocol, chosen in zip(protocols, choices, strict=True) if diagnostics else ():
        table = table_of(protocol)
        label = " · ".join(chosen[key] if key == "target" else f"{key}={chosen[key]}" for key in varying)
        for metric in diagnostics:
            depths = [m for m in diagnostics if type(m) is type(metric)] if metric.same_users else [metric]
            column = table.of_common(str(metric), [str(m) for m in depths])
            common = ~np.isnan(column).any(axis=0)
            means = tuple(float(row[common].mean()) if common.any() else None for row in column)
            yield DiagnosticRow(label or chosen["target"], str(metric), means, int(common.sum()))
