"""Scores judged under a target."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.targets.tiny import Table, users_of

from heldout import threads
from heldout.catalogue import make
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import Measured, measure
from heldout.tables import Judged, Split
from heldout.targets.ranker import RankPlan, rank, split_for
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Target


def judged_under(split: Split, scores: np.ndarray, target: str, rule: str = "threshold(4)", **options: object) -> Judged:
    made, relevance, ties = make("target", target), make("relevance", rule), make("ties", str(options.pop("ties", "item")))
    orders = {"none": options.pop("fallback", None)}
    plan = RankPlan(
        split=split,
        users=users_of(split),
        targets=(made,),
        fallbacks=orders,
        ties=(ties,),
        seed=3,
        relevances=(relevance,),
        **options,
    )
    ranks = rank(Table(scores), plan).of(made, relevance, "none", ties)
    return judge_ranks(ranks, relevance.judge(split_for(split, made).test, plan.users, 5.0, train=split.train))


def samples(plan: RankPlan, target: Target, rule: RelevanceRule) -> dict[tuple[int, int], set[int]]:
    """(user, test item) → the sample that the item competes with: an item that alone scores high is above it exactly when
    it is in the sample; among rated items themselves, those that are joined to the list are left to the caller."""
    n_users, n_items = plan.split.train.n_users, plan.split.train.n_items
    found: dict[tuple[int, int], set[int]] = {}
    plan = replace(plan, targets=(target,), fallbacks={"none": None}, relevances=(rule,))
    for item in range(n_items):
        scores = np.zeros((n_users, n_items))
        scores[:, item] = 1
        with threads.using(1):
            ranks = rank(Table(scores), plan).of(target, rule, "none", plan.ties[0])
        for k, user in enumerate(plan.users):
            for e in range(ranks.indptr[k], ranks.indptr[k + 1]):
                own = int(rows_of(plan, target)[e])
                if ranks.rank[e] and own != item:
                    found.setdefault((int(user), own), set()).update({item} if ranks.above[e] == 1 else set())
    return found


def rows_of(plan: RankPlan, target: Target) -> np.ndarray:
    kept = plan.kept_rows(target)
    return plan.rows[1] if kept is None else plan.rows[1][kept]


def values(judged: Judged, *metrics: str, target: str = "AllItems") -> Measured:
    return measure(judged, [make("metric", m) for m in metrics], target=make("target", target))
