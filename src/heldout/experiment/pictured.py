"""What pictures of the primary protocol need beyond scores: curves, recall by groups of items, what lists hold of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from heldout.errors import HeldoutError
from heldout.experiment.judging import Judgement
from heldout.metrics.accuracy.recall import Recall
from heldout.metrics.beyond.tops import top_items
from heldout.metrics.curves.curve import CurveMetric
from heldout.metrics.curves.customer import CPR, CROC
from heldout.metrics.list_subsets import of_users
from heldout.metrics.measuring import measure, pictured_depth
from heldout.metrics.metric import Metric
from heldout.storage.deferred import Deferred
from heldout.study.applicability import fits
from heldout.study.compatibility import cut_lists
from heldout.tables import Interactions, Judged, Side, Vocabulary
from heldout.tables.arrays import Bool, Float64, Int32, Int64, digest_of, frozen
from heldout.tables.cell_scores import POPULARITY, ItemGroups, Pictured, Points, UserGroup
from heldout.tables.mapped import Waiting

MOST_COLUMNS = 4
"""Columns of a table that make groups: the first that suit."""
MOST_GROUPS = 8
"""Groups of a column: its most frequent values."""
LEAST_COVERED = 0.5
"""Share of the ids that these must cover; a column of titles or zip codes has other values for almost every id."""
QUARTILES = (0.25, 0.5, 0.75, 1.0)
SEPARATOR = "|"
Groups = Mapping[str, Mapping[str, Bool]]
"""Column → label → which codes of a vocabulary are in the group."""
CURVES: tuple[CurveMetric, ...] = (CPR(), CROC())
"""Precision against recall and the ROC curve, both averaged over users at each depth."""
CLASSES = ("head", "middle", "tail", "cold")
"""Popularity classes: three that hold about a third of the training ratings each, and items without one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class SideGroups:
    """The groups that a data set's own tables make."""

    users: Groups = field(default_factory=dict)
    items: Groups = field(default_factory=dict)
    digest: str = ""
    """sha256 of both tables; empty if there is none."""
    problem: str = ""
    """Why a table that is there cannot be used."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DataGroups:
    """Groups, and the data set and ids that they are of."""

    data: str
    users: Vocabulary
    items: Vocabulary
    groups: SideGroups


def side_groups(source: object, users: Vocabulary, items: Vocabulary) -> SideGroups:
    """Groups by the tables of a reader. A study needs no such table, so one that cannot be read is told and not raised."""
    if not hasattr(source, "user_table") or not hasattr(source, "item_table"):
        return SideGroups()
    try:
        of_users, of_items = source.user_table(), source.item_table()
        return SideGroups(
            users=_by_columns(of_users, users),
            items=_by_columns(of_items, items),
            digest=digest_of(*(table.digest for table in (of_users, of_items) if table is not None)),
        )
    except HeldoutError as error:
        return SideGroups(problem=str(error), digest=digest_of(str(error)))


def _by_columns(table: Side | None, vocabulary: Vocabulary) -> Groups:
    if table is None or table.users is not None:
        return {}
    aligned = table.aligned(vocabulary)
    grouped = {name: column_groups(aligned[name]) for name in aligned.columns}
    suited = [name for name, groups in grouped.items() if len(groups) > 1]
    return {name: grouped[name] for name in suited[:MOST_COLUMNS]}


def column_groups(column: pl.Series) -> dict[str, Bool]:
    """Label → rows of a column. Many numbers make quartiles; of texts the most frequent values are groups.

    A text of several values, such as `Action|Comedy`, is in the group of each. Nothing where values hardly repeat.

    Example: the ages 10, 20, …, 100 make "10–30", "40–50", "60–80" and "90–100".
    """
    numbers = column.cast(pl.Float64, strict=False) if column.dtype != pl.List else None
    if numbers is not None and numbers.null_count() == column.null_count() and numbers.n_unique() > MOST_GROUPS:
        return _quartiles(numbers)
    lists = column if column.dtype == pl.List else column.cast(pl.String).str.split(SEPARATOR)
    frame = pl.DataFrame({"row": np.arange(len(column)), "value": lists}).explode("value").drop_nulls()
    frame = frame.with_columns(pl.col("value").cast(pl.String).str.strip_chars()).filter(pl.col("value") != "").unique()
    counts = frame.group_by("value").len().sort(["len", "value"], descending=[True, False])
    shown = counts.head(MOST_GROUPS)["value"].to_list()
    members = {value: np.zeros(len(column), dtype=np.bool_) for value in shown}
    for value, own in members.items():
        own[frame.filter(pl.col("value") == value)["row"].to_numpy()] = True
    covered = np.logical_or.reduce(list(members.values())).sum() if members else 0
    if covered < LEAST_COVERED * frame["row"].n_unique() or len(counts) > len(column) / 2:
        return {}
    return members


def _quartiles(numbers: pl.Series) -> dict[str, Bool]:
    values = numbers.fill_null(float("nan")).to_numpy()
    defined = values[~np.isnan(values)]
    if numbers.n_unique() > len(defined) / 2 and np.array_equal(defined, np.round(defined)) and len(defined) > 100:
        return {}  # whole numbers that hardly repeat are ids or codes
    groups: dict[str, Bool] = {}
    below = -np.inf
    for end in np.unique(np.quantile(defined, QUARTILES, method="inverted_cdf")):
        members = (values > below) & (values <= end)
        low, high = values[members].min(), values[members].max()
        groups[f"{low:g}" if low == high else f"{low:g}–{high:g}"] = members
        below = float(end)
    return groups


def pictured(
    judgement: Judgement,
    metrics: Sequence[Metric],
    groups: SideGroups | None = None,
    users: Int32 | None = None,
    waiting: Waiting | None = None,
) -> Deferred[Pictured]:
    """What pictures need of the first way of judging, for the users who are tested first of all; `metrics` are the study's.

    `groups` are those of the data set's own tables, `users` those of the part's first scores, and `waiting` bounds what all
    parts keep in memory. The items of lists are counted at once, because lists would take far more room than the scores.
    """
    _, tested = judgement.tested[0]
    judged, n = judgement.judged if tested.all() else of_users(judgement.judged, tested), pictured_depth(metrics)
    top: Int64 | None = None
    if judgement.train is not None and judged.only is None and judged.lists is not None:
        top = top_items(judged, n, "popularity of what is recommended").counts(judgement.train.n_items)
    inputs = replace(judgement, judged=replace(judged, lists=None))
    if waiting is not None:
        inputs = waiting.keep(inputs)
        inputs = replace(inputs, train=None if inputs.train is None else waiting.keep(inputs.train))
    return Deferred(lambda: _pictured(inputs, n, top, SideGroups() if groups is None else groups, users))


def _pictured(judgement: Judgement, n: int, top: Int64 | None, side: SideGroups, users: Int32 | None) -> Pictured:
    """`top` is how often each item is among the first `n` of the lists."""
    protocol, judged = judgement.tested[0][0], judgement.judged
    curves = [
        Points(
            system=judgement.system,
            protocol=protocol,
            fold=judgement.fold,
            metric=str(metric),
            x_label=curve.x_label,
            y_label=curve.y_label,
            x=tuple(curve.x.tolist()),
            y=tuple(curve.y.tolist()),
        )
        for metric in CURVES
        if _applies(metric, judgement, judged)
        for curve in [metric.curve(judged).thinned()]
    ]
    return Pictured(
        curves=tuple(curves),
        item_groups=tuple(_item_groups(judgement, n, top, side)),
        user_groups=tuple(
            UserGroup.of(by, group, members[users])
            for by, own in side.users.items()
            for group, members in own.items()
            if users is not None
        ),
        problem=side.problem,
    )


def _applies(metric: Metric, judgement: Judgement, judged: Judged) -> bool:
    cut = metric.needs_whole_lists and bool(cut_lists(judged, judgement.system))
    return not cut and fits(metric, judgement.choices)


def popularity_classes(train: Interactions) -> Mapping[str, Bool]:
    """Class → which items are in it, by their number of training ratings; items of as many ratings are in one class.

    Example: of items rated 6, 2, 2, 1, 1 and 0 times the first is the head, for it alone holds a third of the 12 ratings.
    """
    counts = train.item_counts
    descending = np.sort(counts)[::-1]
    held = np.cumsum(descending)
    total = int(held[-1]) if len(held) else 0
    thirds = [int(descending[np.searchsorted(held, total * k / 3)]) if total else 0 for k in (1, 2)]
    head = (counts >= thirds[0]) & (counts > 0)
    middle = (counts >= thirds[1]) & (counts > 0) & ~head
    cold = counts == 0
    return dict(zip(CLASSES, (head, middle, ~head & ~middle & ~cold, cold), strict=True))


def _item_groups(judgement: Judgement, n: int, top: Int64 | None, side: SideGroups) -> Iterator[ItemGroups]:
    train = judgement.train
    if train is None or not fits(Recall(n=n), judgement.choices):
        return
    for by, members in {POPULARITY: popularity_classes(train), **side.items}.items():
        yield _grouped(judgement, train, by, members, n, top)


def _grouped(
    judgement: Judgement, train: Interactions, by: str, members: Mapping[str, Bool], n: int, top: Int64 | None
) -> ItemGroups:
    relevance = judgement.judged.relevance
    relevant = relevance.item[relevance.relevant & np.repeat(judgement.tested[0][1], relevance.rated)]
    recalls = [recall_of_group(judgement, own, n) for own in members.values()]
    return ItemGroups(
        system=judgement.system,
        protocol=judgement.tested[0][0],
        fold=judgement.fold,
        by=by,
        n=n,
        groups=tuple(members),
        recall=tuple(float(np.nanmean(values)) if (~np.isnan(values)).any() else float("nan") for values in recalls),
        users=tuple(int((~np.isnan(values)).sum()) for values in recalls),
        recommended=() if top is None else _shares([top[own].sum() for own in members.values()]),
        catalogue=_shares([own.sum() for own in members.values()]),
        train=_shares([train.item_counts[own].sum() for own in members.values()]),
        relevant=_shares([own[relevant].sum() for own in members.values()]),
    )


def recall_of_group(judgement: Judgement, members: Bool, n: int) -> Float64:
    """Of each user, Recall@n if only relevant items of a group count as relevant; the lists stay as they are."""
    judged, relevance = judgement.judged, judgement.judged.relevance
    fewer = replace(relevance, relevant=frozen(relevance.relevant & members[relevance.item], np.bool_))
    of_group = replace(judged, relevance=fewer)
    return measure(of_group, [Recall(n=n)], target=judgement.choices.target).values[:, 0]


def _shares(counts: Sequence[int]) -> tuple[float, ...]:
    total = sum(int(count) for count in counts)
    return tuple(int(count) / total if total else 0.0 for count in counts)
