"""What metrics may know besides lists and test ratings: gathered once for each relevance rule of a fold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from heldout.data.side import read_side
from heldout.errors import NotApplicableError
from heldout.metrics.metric import Metric
from heldout.tables import Background, Interactions, Side, item_counts
from heldout.tables.arrays import Bool, Float64, Int32, digest_of
from heldout.targets.ranker import TILE, RankPlan, Scorer
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target


def background_of(
    metrics: Sequence[Metric],
    rule: RelevanceRule,
    test: Interactions,
    train: Interactions | None,
    own: Side | None,
    tables: dict[str, Side],
) -> Background:
    """All that is known under a relevance rule; counts over train and test need both."""
    lowest = min(float(part.value.min(initial=np.inf)) for part in (test, train) if part is not None)
    if train is None:
        return Background(
            items=test.items,
            train=None,
            positives=None,
            ratings=None,
            lowest=lowest,
            side=own,
            tables=tables,
            users=test.users,
        )
    positives = rule.positives(train, test) if any(m.needs_positives for m in metrics) else None
    return Background(
        items=test.items,
        train=train,
        positives=positives,
        ratings=item_counts(train, test),
        lowest=lowest,
        side=own,
        tables=tables,
        users=test.users,
    )


def side_tables(metrics: Sequence[Metric], source: object) -> tuple[Side | None, dict[str, Side]]:
    """The data set's own table of items, if a metric asks for it and there is one, and the tables that metrics name."""
    paths = {path for m in metrics for path in m.tables}
    own = source.item_table() if None in paths and hasattr(source, "item_table") else None
    return own, {path: read_side(path, of="items") for path in sorted(p for p in paths if p is not None)}


def side_digest(metrics: Sequence[Metric], source: object) -> str:
    """sha256 of those tables; empty when no metric looks anything up."""
    if not any(m.tables for m in metrics):
        return ""
    own, tables = side_tables(metrics, source)
    return digest_of(*(side.digest for side in (own, *tables.values()) if side is not None), *tables)


def scores_of_targets(model: Scorer, plan: RankPlan, target: Target, tested: Bool) -> Iterator[Float64]:
    """The scores of all targets of the tested users, one tile of users at a time; NaN where the system has none."""
    if target.form.own or target.form.sample is not None or target.form.single or target.form.pool == "unrated":
        raise NotApplicableError(
            f"global curves need all candidates of a user in one list, which {target} does not make",
            where="metrics",
            hint="measure them under AllItems, TestItems or TrainingItems",
        )
    users = plan.users[tested]
    train, member = plan.split.train, plan.candidates(target).member
    for first in range(0, len(users), TILE):
        tile = users[first : first + TILE]
        padded: Int32 = np.concatenate([tile, np.repeat(tile[-1:], TILE - len(tile))])
        scores = model.score(padded)[: len(tile)]
        taken = np.broadcast_to(member, scores.shape).copy()
        for k, user in enumerate(tile):
            taken[k, train.item[train.user_indptr[user] : train.user_indptr[user + 1]]] = False
        yield scores[taken].astype(np.float64)
