"""Users with many test items: columns are sorted, and ranks stay those of counting."""

from __future__ import annotations

import numpy as np
from tests.targets.tiny import Table, random_scores, random_split, users_of

from heldout.catalogue import make
from heldout.kernels import ranks as kernel
from heldout.targets.ranker import RankPlan, rank


def test_many_test_items_are_sorted_to_the_same_ranks() -> None:
    """Above a number of test items columns are sorted instead: ranks, ties and all are those of counting."""
    rng = np.random.default_rng(6)
    split = random_split(rng, 3, 2600, test=0.6)
    scores = random_scores(rng, 3, 2600)
    scores[2] = rng.standard_normal(2600)
    scored = np.bincount(split.test.user, ~np.isnan(scores[split.test.user, split.test.item]))
    assert scored[1:].min() > kernel.SORT_FROM > 100  # user 0 has no score at all
    orders = {"none": None, "popularity": split.train.item_counts.astype(float)}
    targets, ties = tuple(make("target", t) for t in ("AllItems", "TestItems")), make("ties", "trec")
    plan = RankPlan(
        split=split, users=users_of(split)[1:], targets=targets, fallbacks=orders, ties=(ties,), seed=1, count_ties=True
    )
    found, key = rank(Table(scores), plan), ties.keys(split.train.items)
    for target, member in zip(targets, (np.ones(2600, bool), split.test.item_counts > 0), strict=True):
        for name, order in orders.items():
            ranks = found.of(target, None, name, ties)
            for k, user in enumerate(plan.users):
                left = np.setdiff1d(np.flatnonzero(member), split.train.item[split.train.user == user])
                own = scores[user, left]
                missing = np.isnan(own)
                second = np.zeros(len(left)) if order is None else np.where(missing, order[left], 0)
                placed = left[np.lexsort((key[left], -second, -np.nan_to_num(own, neginf=-1e9), missing))]
                place = np.zeros(2600, int)
                place[placed] = np.arange(1, len(left) + 1)
                for row in range(ranks.indptr[k], ranks.indptr[k + 1]):
                    item = plan.rows[1][row]
                    lost = np.isnan(scores[user, item])
                    mine = missing & (second == orders["popularity"][item]) if lost else own == scores[user, item]
                    if lost and order is None:
                        assert ranks.rank[row] == 0
                    else:
                        assert (ranks.rank[row], ranks.tied[row]) == (place[item], mine.sum() - 1)
