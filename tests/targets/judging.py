"""Scores judged under a target."""

from __future__ import annotations

import numpy as np
from tests.targets.tiny import Table, users_of

from heldout.catalogue import make
from heldout.metrics.judge import judge_ranks
from heldout.tables import Judged, Split
from heldout.targets.ranker import RankPlan, rank, split_for


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
