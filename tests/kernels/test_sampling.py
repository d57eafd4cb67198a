"""Samples of candidates: distinct, unrated, the same for all systems, and each equally likely."""

from __future__ import annotations

import numpy as np
from tests.targets.judging import samples
from tests.targets.tiny import Table, random_split, users_of

from heldout.catalogue import make
from heldout.targets.ranker import RankPlan, rank


def test_sampled_targets_are_unrated_distinct_and_the_same_for_all_systems() -> None:
    rng = np.random.default_rng(1)
    split = random_split(rng, 40, 60)
    plan = RankPlan(
        split=split,
        users=users_of(split),
        targets=(make("target", "OnePlusRandom(5)"),),
        fallbacks={"none": None},
        ties=(make("ties", "item"),),
        seed=7,
    )
    target = plan.targets[0]
    found = samples(plan, target, target.own_relevance)
    rated = np.zeros((40, 60), bool)
    rated[split.train.user, split.train.item] = True
    rated[split.test.user, split.test.item] = True
    in_test = set(split.test.item.tolist())
    by_user: dict[int, set[frozenset[int]]] = {}
    for (user, _), sample in found.items():
        assert len(sample) == 5
        assert sample <= in_test
        assert not any(rated[user, i] for i in sample)
        by_user.setdefault(user, set()).add(frozenset(sample))
    assert all(len(different) == 1 for different in by_user.values())  # one sample serves all of a user's lists


def test_every_sample_is_equally_likely() -> None:
    """Each unrated test item of a user is drawn with the chance N / pool, by either way of drawing."""
    rng = np.random.default_rng(2)
    split = random_split(rng, 30, 40)
    for size in (2, 12):  # few of the pool, and most of it
        target = make("target", f"OnePlusRandom({size})")
        drawn, chance = 0.0, 0.0
        for seed in range(40):
            plan = RankPlan(
                split=split,
                users=users_of(split),
                targets=(target,),
                fallbacks={"none": None},
                ties=(make("ties", "item"),),
                seed=seed,
            )
            scores = np.zeros((30, 40))
            scores[:, 35] = 1
            ranks = rank(Table(scores), plan).of(target, None, "none", "item")
            for k in range(len(plan.users)):
                first = ranks.indptr[k]
                if plan.rows[1][first] != 35 and 35 not in plan.rows[1][first : ranks.indptr[k + 1]]:
                    own = split.train.item[split.train.user == plan.users[k]]
                    if 35 not in own:
                        drawn += ranks.above[first]
                        chance += min(1.0, size / ranks.pool[k])
        assert abs(drawn - chance) < 4 * np.sqrt(chance)
