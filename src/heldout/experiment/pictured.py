"""What pictures of the primary protocol need beyond scores: curves, recall by groups of items, what lists hold of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from heldout.analysis.part import POPULARITY, ItemGroups, Pictured, Points, UserGroup
from heldout.experiment.judging import Judgement
from heldout.experiment.side_groups import SideGroups
from heldout.metrics.accuracy.recall import Recall
from heldout.metrics.beyond.tops import top_items
from heldout.metrics.curves.curve import CurveMetric
from heldout.metrics.curves.customer import CPR, CROC
from heldout.metrics.list_subsets import of_users
from heldout.metrics.measuring import measure, pictured_depth
from heldout.metrics.metric import Metric
from heldout.study.applicability import fits
from heldout.study.compatibility import cut_lists
from heldout.tables import Interactions, Judged
from heldout.tables.arrays import Bool, Float64, Int32, Int64, frozen

CURVES: tuple[CurveMetric, ...] = (CPR(), CROC())
"""Precision against recall and the ROC curve, both averaged over users at each depth."""
CLASSES = ("head", "middle", "tail", "cold")
"""Popularity classes: three that hold about a third of the training ratings each, and items without one."""


def pictured(
    judgement: Judgement, metrics: Sequence[Metric], groups: SideGroups | None = None, users: Int32 | None = None
) -> Pictured:
    """What is kept of the first way of judging, for the users who are tested first of all; `metrics` are the study's.

    `groups` are those of the data set's own tables, `users` those of the part's first scores.
    """
    side = SideGroups() if groups is None else groups
    protocol, tested = judgement.tested[0]
    judged = judgement.judged if tested.all() else of_users(judgement.judged, tested)
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
        item_groups=tuple(_item_groups(judgement, judged, metrics, side)),
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
    return not cut and fits(metric, judgement.target, judgement.unrated, judgement.ties)


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


def _item_groups(judgement: Judgement, judged: Judged, metrics: Sequence[Metric], side: SideGroups) -> Iterator[ItemGroups]:
    train = judgement.train
    n = pictured_depth(metrics)
    if train is None or not fits(Recall(n=n), judgement.target, judgement.unrated, judgement.ties):
        return
    yield _grouped(judgement, judged, train, POPULARITY, popularity_classes(train), n)
    for column, members in side.items.items():
        yield _grouped(judgement, judged, train, column, members, n)


def _grouped(
    judgement: Judgement, judged: Judged, train: Interactions, by: str, members: Mapping[str, Bool], n: int
) -> ItemGroups:
    relevance = judged.relevance
    relevant = relevance.item[relevance.relevant & np.repeat(judgement.tested[0][1], relevance.rated)]
    top: Int64 | None = None
    if judged.only is None and judged.lists is not None:
        top = top_items(judged, n, "popularity of what is recommended").counts(train.n_items)
    recalls = [recall_of_group(judgement, judged, own, n) for own in members.values()]
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


def recall_of_group(judgement: Judgement, judged: Judged, members: Bool, n: int) -> Float64:
    """Of each user, Recall@n when relevant items of a group alone count as relevant; the lists stay as they are."""
    relevance = judged.relevance
    fewer = replace(relevance, relevant=frozen(relevance.relevant & members[relevance.item], np.bool_), _memo={})
    of_group = replace(judged, relevance=fewer, _memo={})
    return measure(of_group, [Recall(n=n)], target=judgement.target).values[:, 0]


def _shares(counts: Sequence[int]) -> tuple[float, ...]:
    total = sum(int(count) for count in counts)
    return tuple(int(count) / total if total else 0.0 for count in counts)
