"""Lists of a run: what other targets than AllItems take from it and find lacking, and how many items there are to rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from heldout.catalogue.notices import Notice
from heldout.experiment.notices import about_classes, about_short_lists
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import list_depth, pictured_depth
from heldout.metrics.metric import Metric
from heldout.study.protocol import Protocol
from heldout.tables import Interactions, Judged, Rankings, Relevance
from heldout.tables.arrays import Int32, Int64
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


_LISTS_FIRST = 200
"""Lists that are looked at first: those of a personal system mostly disagree among so few."""


def list_facts(rankings: Rankings) -> dict[str, Any]:
    """What a review needs to know of a run: how long its longest list is, and whether all users get the same order."""
    return {"longest": int(rankings.length.max(initial=0)), "same_for_all": is_same_for_all(rankings)}


def is_same_for_all(rankings: Rankings) -> bool:
    """Whether all lists follow one order of items, from which each leaves some out, as popularity leaves out what is known.

    Neighbours in the lists must form no cycle, and must be the same pairs again and again: each occurs twice on average.

    Example: a b c, a c and b c follow one order; a b and b a do not.
    """
    if len(rankings) < 2:
        return False
    if np.count_nonzero(np.bincount(rankings.item)) == rankings.length.max():
        return _in_one_order(rankings, len(rankings))
    return all(_in_one_order(rankings, lists) for lists in (_LISTS_FIRST, len(rankings))) and _repeats_pairs(rankings)


def _neighbours(rankings: Rankings, lists: int) -> tuple[Int64, Int64]:
    """The item and the next one at all places of the first lists but the last place of each."""
    end = int(rankings.indptr[min(lists, len(rankings))])
    item = rankings.item[:end].astype(np.int64)
    inside = np.ones(max(0, end - 1), dtype=np.bool_)
    ends = rankings.indptr[1:] - 1
    inside[ends[(ends >= 0) & (ends < len(inside))]] = False
    return item[:-1][inside], item[1:][inside]


def _repeats_pairs(rankings: Rankings) -> bool:
    first, second = _neighbours(rankings, len(rankings))
    return len(first) > 0 and len(first) >= 2 * len(np.unique(first * (int(rankings.item.max()) + 1) + second))


def _in_one_order(rankings: Rankings, lists: int) -> bool:
    """Whether neighbours in the first lists form no cycle: taking away items that follow no other leaves none."""
    first, second = _neighbours(rankings, lists)
    n_items = int(rankings.item.max(initial=0)) + 1
    first, second = np.divmod(np.unique(first * n_items + second), n_items)
    starts = np.searchsorted(first, np.arange(n_items + 1))
    before = np.bincount(second, minlength=n_items)
    ready, taken = np.flatnonzero(before == 0), 0
    while len(ready):
        taken += len(ready)
        following = np.concatenate([second[starts[item] : starts[item + 1]] for item in ready])
        np.subtract.at(before, following, 1)
        candidates = np.unique(following)
        ready = candidates[before[candidates] == 0]
    return taken == n_items


def catalogue_size(test: Interactions, train: Interactions | None, ranked: pl.Series) -> int:
    """Items known to exist: those rated in test or training and those of the run, whatever other runs hold."""
    exists = test.item_counts > 0
    if train is not None:
        exists |= train.item_counts > 0
    exists[test.items.encode(ranked)] = True
    return int(exists.sum())
