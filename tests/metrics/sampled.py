"""Sampled ranks and what they hide."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from tests.targets.tiny import Table, users_of

from heldout.catalogue import make
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import measure
from heldout.tables import Interactions, Split, Vocabulary
from heldout.targets.ranker import RankPlan, rank

METRICS = ("Recall@5", "P@5", "nDCG(gain=binary)@5", "AP@5", "RR@10")


def world() -> tuple[Split, np.ndarray]:
    """A relevant item of each of 3,000 users among 400, near the top for most; users' pools differ in size."""
    rng = np.random.default_rng(4)
    users, items = Vocabulary.numbered(3000), Vocabulary.numbered(400)
    scores = rng.standard_normal((3000, 400))
    one = rng.integers(0, 400, 3000)
    scores[np.arange(3000), one] += rng.exponential(1.2, 3000)
    test = Interactions.build(users, items, np.arange(3000), one, np.full(3000, 5.0))
    user = np.repeat(np.arange(3000), rng.integers(0, 60, 3000))
    pairs = np.unique(np.column_stack([user, rng.integers(0, 400, len(user))]), axis=0)
    pairs = pairs[one[pairs[:, 0]] != pairs[:, 1]]
    train = Interactions.build(users, items, pairs[:, 0], pairs[:, 1], np.full(len(pairs), 3.0))
    return Split(train=train, test=test), scores


def means(split: Split, scores: np.ndarray, target: str) -> np.ndarray:
    made, rule = make("target", target), make("relevance", "threshold(4)")
    plan = RankPlan(
        split=split,
        users=users_of(split),
        targets=(made,),
        fallbacks={"none": None},
        ties=(make("ties", "item"),),
        seed=3,
        relevances=(rule,),
    )
    ranks = rank(Table(scores), plan).of(made, rule, "none", "item")
    judged = judge_ranks(ranks, rule.judge(split.test, plan.users, 5.0))
    return measure(judged, [make("metric", m) for m in METRICS], target=made).values.mean(axis=0)


RANKS = np.arange(1.0, 1701)


BY_RANK = {
    "Recall@5": RANKS <= 5,
    "Recall@10": RANKS <= 10,
    "nDCG@10": (RANKS <= 10) / np.log2(RANKS + 1),
    "AP@10": (RANKS <= 10) / RANKS,
    "RR": 1 / RANKS,
}


def moments_of(chances: np.ndarray, exact: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """What estimators start from."""
    n = len(exact)
    return chances.T @ chances / n, chances.T @ exact / n, chances.mean(axis=0), float(exact[0])


def assert_no_better_way(found: np.ndarray, loss: Callable[[np.ndarray], float], first: float) -> None:
    """The loss is convex: no small step towards a corner of what is allowed lowers it."""
    assert found[0] <= first and found[-1] >= 0 and (np.diff(found) <= 1e-12).all()
    for k in range(len(found) + 1):
        corner = np.where(np.arange(len(found)) < k, first, 0.0)
        assert loss(found + 1e-5 * (corner - found)) >= loss(found) * (1 - 1e-9)
