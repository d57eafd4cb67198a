"""What one pass over the scores gives: first items of lists, ties, and places in the full ranking."""

from __future__ import annotations

import numpy as np
import pytest
from tests.targets.judging import judged_under, values
from tests.targets.tiny import random_scores, random_split

from heldout.tables import Interactions, Split, Vocabulary


@pytest.mark.parametrize("ties", ["item", "trec", "random(2)"])
@pytest.mark.parametrize(
    "target", ["AllItems", "targets(candidates=test, head=0.2)", "TestRatings", "targets(nonrelevant=7)"]
)
def test_lists_hold_the_first_items_of_rankings(target: str, ties: str) -> None:
    """Their order is that of the scores, what is rated stands at its rank, and what comes of it is the same at any depth."""
    rng = np.random.default_rng(11)
    split = random_split(rng, 80, 50)
    scores = random_scores(rng, 80, 50)
    popular = split.train.item_counts.astype(float)
    for fallback in (None, popular):
        judged = judged_under(split, scores, target, ties=ties, depth=12, fallback=fallback)
        whole = judged_under(split, scores, target, ties=ties, depth=50, fallback=fallback)
        assert judged.lists.length.tolist() == np.minimum(judged.length, 12).tolist()
        assert whole.lists.length.tolist() == judged.length.tolist()
        for k, user in enumerate(judged.relevance.users):
            items = whole.lists.item[whole.lists.indptr[k] : whole.lists.indptr[k + 1]]
            assert judged.lists.item[judged.lists.indptr[k] : judged.lists.indptr[k + 1]].tolist() == items[:12].tolist()
            own = scores[user, items]
            scored = own[~np.isnan(own)]
            assert (scored[1:] <= scored[:-1]).all()
            assert np.isnan(own[len(scored) :]).all()
            entries = slice(judged.indptr[k], judged.indptr[k + 1])
            assert items[judged.rank[entries] - 1].tolist() == judged.item[entries].tolist()
            assert not set(items.tolist()) & set(split.train.item[split.train.user == user].tolist())
            assert len(set(items.tolist())) == len(items)


def test_ties_are_told_and_positions_in_the_full_ranking() -> None:
    """Scores 3, 2, 2, 1 of items 0…3, of which 1 and 3 are rated: item 1 ties with item 2; ranks 2 and 4."""
    users, items = Vocabulary.numbered(1), Vocabulary.numbered(5)
    test = Interactions.build(users, items, np.array([0, 0]), np.array([1, 3]), np.array([5.0, 2]))
    train = Interactions.build(users, items, np.array([0]), np.array([4]), np.array([5.0]))
    judged = judged_under(Split(train=train, test=test), np.array([[3.0, 2, 2, 1, 9]]), "AllItems", count_ties=True)
    found = values(judged, "Tied", "Tied@2", "FullPosition@1", "FullPosition@2", "FullPosition@3").values[0]
    assert found[:4].tolist() == [1 / 2, 1, 2, 4]
    assert np.isnan(found[4])
