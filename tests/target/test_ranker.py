"""Ranks by counting against a slow ranking that sorts, in every protocol, fallback and tie rule."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heldout import threads
from heldout.catalogue import make
from heldout.errors import HeldoutError
from heldout.tables import Interactions, Split, Vocabulary
from heldout.target.ranker import RankPlan, Ranks, rank

TARGETS = ("AllItems", "TestItems", "TestRatings", "OnePlusRandom(5)")


class Table:
    """A model whose scores are a table."""

    def __init__(self, scores: np.ndarray) -> None:
        self.scores = scores.astype(np.float32)

    def score(self, users: np.ndarray) -> np.ndarray:
        return self.scores[users].copy()


def random_split(rng: np.random.Generator, n_users: int, n_items: int) -> Split:
    users, items = Vocabulary.numbered(n_users), Vocabulary.of(pl.Series([f"i{k}" for k in range(n_items)]))
    kind = rng.choice([0, 1, 2], size=(n_users, n_items), p=[0.6, 0.25, 0.15])
    kind[:, : n_items // 5] = np.minimum(kind[:, : n_items // 5], 1)  # items without a test rating
    kind[:, n_items // 5 : n_items // 4] = 0  # items nobody rated
    values = rng.integers(1, 6, size=kind.shape).astype(float)

    def part(which: int) -> Interactions:
        user, item = np.nonzero(kind == which)
        return Interactions.build(users, items, user, item, values[user, item])

    return Split(part(1), part(2))


def random_scores(rng: np.random.Generator, n_users: int, n_items: int) -> np.ndarray:
    """Few distinct values, so many ties, and some items that cannot be scored."""
    scores = rng.integers(0, 6, size=(n_users, n_items)).astype(float)
    scores[rng.random(scores.shape) < 0.3] = np.nan
    scores[0] = np.nan
    return scores


def slowly(targets: list[int], scores: np.ndarray, fallback: np.ndarray | None, tie: np.ndarray) -> dict[int, int]:
    """Item → rank, by sorting: computed ones by score, then the others by the fallback's order."""
    computed = [i for i in targets if not np.isnan(scores[i])]
    order = sorted(computed, key=lambda i: (-scores[i], tie[i]))
    if fallback is not None:
        rest = [i for i in targets if np.isnan(scores[i])]
        order += sorted(rest, key=lambda i: (-(fallback[i] if not np.isnan(fallback[i]) else -np.inf), tie[i]))
    return {item: place for place, item in enumerate(order, start=1)}


def expected_targets(split: Split, target: str, user: int) -> set[int]:
    train = set(split.train.item[split.train.user == user].tolist())
    test = set(split.test.item[split.test.user == user].tolist())
    everyone = set(split.test.item.tolist())
    sets = {"AllItems": set(range(split.train.n_items)), "TestItems": everyone, "TestRatings": test}
    return sets[target] - train


@pytest.mark.parametrize("ties", ["item", "trec"])
@pytest.mark.parametrize("seed", range(6))
def test_counting_ranks_as_sorting_does(seed: int, ties: str) -> None:
    rng = np.random.default_rng(seed)
    n_users, n_items = int(rng.integers(1, 150)), int(rng.integers(20, 60))
    split = random_split(rng, n_users, n_items)
    scores = random_scores(rng, n_users, n_items)
    orders = {
        "none": None,
        "popularity": split.train.item_counts.astype(float),
        "partly": np.where(rng.random(n_items) < 0.5, np.nan, rng.integers(0, 3, n_items).astype(float)),
    }
    users = np.flatnonzero(split.test.user_counts).astype(np.int32)
    rule = make("ties", ties)
    plan = RankPlan(split, users, tuple(make("target", t) for t in TARGETS[:3]), orders, (rule,), seed)
    found = rank(Table(scores), plan)
    tie = rule.keys(split.train.items)
    for (target, fallback, _), ranks in found.items():
        for k, user in enumerate(users):
            targets = expected_targets(split, target, int(user))
            places = slowly(sorted(targets), scores[user], orders[fallback], tie)
            low, high = ranks.indptr[k], ranks.indptr[k + 1]
            items = plan.rows[1][low:high]
            assert ranks.rank[low:high].tolist() == [places.get(i, 0) for i in items.tolist()], (target, fallback)
            assert ranks.targets[k] == len(targets)
            assert ranks.length[k] == len(places)
            assert ranks.computed[k] == sum(not np.isnan(scores[user, i]) for i in targets)
            check_ties(ranks, low, high, scores[user], items, targets)


def check_ties(ranks: Ranks, low: int, high: int, scores: np.ndarray, items: np.ndarray, targets: set[int]) -> None:
    """`above` and `tied` of computed items, counted one by one."""
    for e, item in zip(range(low, high), items.tolist(), strict=True):
        if item in targets and not np.isnan(scores[item]):
            others = [scores[i] for i in targets if i != item]
            assert ranks.above[e] == sum(o > scores[item] for o in others)
            assert ranks.tied[e] == sum(o == scores[item] for o in others)


def test_sampled_targets_are_unrated_distinct_and_the_same_for_all_systems() -> None:
    rng = np.random.default_rng(1)
    split = random_split(rng, 40, 60)
    users = np.flatnonzero(split.test.user_counts).astype(np.int32)
    plan = RankPlan(split, users, (make("target", "OnePlusRandom(5)"),), {"none": None}, (make("ties", "item"),), 7)
    met = np.zeros((40, 60), bool)
    for item in range(60):  # an item that alone scores high is above the rated ones exactly when it is in the sample
        scores = np.zeros((40, 60))
        scores[:, item] = 1
        ranks = next(iter(rank(Table(scores), plan).values()))
        for k, user in enumerate(users):
            low, high = ranks.indptr[k], ranks.indptr[k + 1]
            own = plan.rows[1][low:high] == item
            if not own.all():
                above = ranks.above[low:high][~own]
                assert len(set(above.tolist())) == 1  # one sample serves all of a user's lists
                met[user, item] = above[0] == 1
    rated = np.zeros((40, 60), bool)
    rated[split.train.user, split.train.item] = True
    rated[split.test.user, split.test.item] = True
    assert not (met & rated).any()
    assert not met[:, split.test.item_counts == 0].any()
    assert (met[users].sum(axis=1) == 5).all()


def test_a_random_ranking_puts_the_relevant_item_anywhere_with_equal_chance() -> None:
    rng = np.random.default_rng(3)
    split = random_split(rng, 2000, 60)
    users = np.flatnonzero(split.test.user_counts).astype(np.int32)
    plan = RankPlan(split, users, (make("target", "OnePlusRandom(9)"),), {"none": None}, (make("ties", "item"),), 7)
    ranks = next(iter(rank(Table(rng.random((2000, 60))), plan).values()))
    counts = np.bincount(ranks.rank, minlength=11)[1:]
    expected = counts.sum() / 10
    assert counts.sum() > 10_000
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


def test_threads_and_blocks_do_not_change_ranks() -> None:
    rng = np.random.default_rng(5)
    split = random_split(rng, 300, 50)
    users = np.flatnonzero(split.test.user_counts).astype(np.int32)
    plan = RankPlan(split, users, tuple(make("target", t) for t in TARGETS), {"none": None}, (make("ties", "item"),), 1)
    model = Table(random_scores(rng, 300, 50))
    seen = set()
    for n in (1, 2):
        for block in (1, 7, 4096):
            with threads.using(n):
                found = rank(model, plan, block=block)
            seen.add(b"".join(r.rank.tobytes() + r.above.tobytes() + r.computed.tobytes() for r in found.values()))
    assert len(seen) == 1


def test_more_sampled_items_than_candidates_are_refused() -> None:
    split = random_split(np.random.default_rng(0), 10, 20)
    with pytest.raises(HeldoutError, match=r"500 items cannot be sampled from \d+ candidates"):
        RankPlan(
            split,
            np.arange(3, dtype=np.int32),
            (make("target", "OnePlusRandom(500)"),),
            {"none": None},
            (make("ties", "item"),),
            1,
        )
