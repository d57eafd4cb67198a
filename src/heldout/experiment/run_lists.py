"""Lists of a run: what other targets than AllItems take from it and find lacking, and how many items there are to rank."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from heldout.catalogue.notices import Notice
from heldout.experiment.notices import about_classes, about_short_lists
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import list_depth, pictured_depth
from heldout.metrics.metric import Metric
from heldout.study.protocol import Protocol
from heldout.tables import Interactions, Judged, Rankings, Relevance
from heldout.tables.arrays import Int32
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.run_ranks import rank_lists_of_run, refuse_lacking
from heldout.targets.target import Target
from heldout.targets.tie_rule import TieRule


def own_lists(
    protocol: Protocol,
    metrics: Sequence[Metric],
    test: Interactions,
    train: Interactions | None,
    rankings: Rankings,
    users: Int32,
    ties: TieRule,
    name: str,
    target: Target,
    rule: RelevanceRule,
    relevance: Relevance,
    notices: list[Notice],
) -> Judged:
    """A run's lists under a target other than AllItems; NotApplicableError says what the run lacks for it."""
    depth = list_depth(metrics, len(test.items))
    if train is not None:  # pictures show how popular the items of lists are
        depth = max(depth, pictured_depth(metrics))
    plan, ranked = rank_lists_of_run(
        rankings,
        test,
        train,
        users,
        target,
        ties,
        relevances=protocol.relevance,
        seed=protocol.seed,
        depth=depth,
    )
    ranks = ranked.of(target, rule, "none", ties)
    refuse_lacking(ranks, plan, relevance.relevant, rankings, name)
    judged = judge_ranks(ranks, relevance)
    noticed = [*about_short_lists(metrics, name, target, judged), *about_classes([target], plan.split)]
    notices += (notice for notice in noticed if notice not in notices)
    return judged


def catalogue_size(test: Interactions, train: Interactions | None, ranked: pl.Series) -> int:
    """Items known to exist: those rated in test or training and those of the run, whatever other runs hold."""
    exists = test.item_counts > 0
    if train is not None:
        exists |= train.item_counts > 0
    exists[test.items.encode(ranked)] = True
    return int(exists.sum())
