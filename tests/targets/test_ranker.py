"""Ranks by counting against a slow ranking that sorts, in every protocol, fallback and tie rule."""

from __future__ import annotations

import numpy as np
import pytest
from tests.heavy import heavy
from tests.targets.judging import samples
from tests.targets.tiny import Table, random_scores, random_split, users_of

from heldout import threads
from heldout.catalogue import make
from heldout.errors import HeldoutError
from heldout.metrics.judge import judge_ranks
from heldout.tables import Judged, Split
from heldout.targets.ranker import Ranked, RankPlan, rank, split_for
from heldout.targets.relevance_rule import RelevanceRule
from heldout.targets.target import Form, Target

TARGETS = (
    "AllItems",
    "TestItems",
    "TrainingItems",
    "TestRatings",
    "OnePlusRandom(4)",
    "targets(candidates=training, relevant=one)",
    "targets(relevant=one, pool=unrated)",
    "targets(candidates=test, pool=unrated, head=0.2)",
    "targets(candidates=test, nonrelevant=6)",
    "targets(nonrelevant=3, pool=unrated, head=0.1)",
    "targets(candidates=test, relevant=one, nonrelevant=5, average=rating)",
    "targets(relevant=one, percentiles=3)",
    "targets(candidates=test, relevant=one, nonrelevant=2, percentiles=3, head=0.1)",
    "P1R(3, percentiles=2)",
)


def plan_of(split: Split, orders: dict, ties: str, seed: int, **options: object) -> RankPlan:
    made = tuple(make("target", t) for t in TARGETS)
    rules = (make("relevance", "threshold(4)"), make("relevance", "user_mean"))
    return RankPlan(
        split=split,
        users=users_of(split),
        targets=made,
        fallbacks=orders,
        ties=(make("ties", ties),),
        seed=seed,
        relevances=rules,
        **options,
    )


def candidates(split: Split, form: Form) -> tuple[set[int], dict[int, int]]:
    """C and the class of each of its items, item by item."""
    counts = np.array([(split.train.item == i).sum() + (split.test.item == i).sum() for i in range(split.train.n_items)])
    popular = sorted(range(len(counts)), key=lambda i: (-counts[i], i))
    rated = sum(c > 0 for c in counts)
    head = set(popular[: int(np.floor(form.head * rated + 0.5))])
    rest = [i for i in popular if i not in head]
    classes = {i: k * form.percentiles // len(rest) for k, i in enumerate(rest)}
    members = {
        "all": set(range(len(counts))),
        "test": set(split.test.item.tolist()),
        "training": set(split.train.item.tolist()),
    }
    return members[form.candidates] - head, classes


def slow_lists(
    split: Split, target: Target, rule: RelevanceRule, user: int, sample: dict
) -> list[tuple[int | None, set[int]]]:
    """(the one relevant item, all targets) of each list of a user, straight from the definitions."""
    form = target.form
    part = split_for(split, target)
    grades = {
        int(i): r
        for u, i, r in zip(part.test.user, part.test.item, rule.of_test(part.test, split.train), strict=True)
        if u == user
    }
    train = set(split.train.item[split.train.user == user].tolist())
    if form.own:
        return [(None, set(grades))]
    members, classes = candidates(split, form)
    good = {i for i, r in grades.items() if r} & members
    others = members - train - (set(grades) if form.pool == "unrated" else good)
    if form.single:
        return [
            (i, {i} | (sample[user, i] if form.sample else {j for j in others if classes[j] == classes[i]}))
            for i in sorted(good)
        ]
    if form.sample:
        drawn = next((sample[user, i] - good for i in good), set())
        return [(None, good | drawn)] if good else []
    return [(None, good | others)]


def slowly(targets: set[int], scores: np.ndarray, fallback: np.ndarray | None, tie: np.ndarray) -> dict[int, int]:
    """Item → rank, by sorting: computed ones by score, then the others by the fallback's order."""
    computed = [i for i in targets if not np.isnan(scores[i])]
    order = sorted(computed, key=lambda i: (-scores[i], tie[i]))
    if fallback is not None:
        rest = [i for i in targets if np.isnan(scores[i])]
        order += sorted(rest, key=lambda i: (-(fallback[i] if not np.isnan(fallback[i]) else -np.inf), tie[i]))
    return {item: place for place, item in enumerate(order, start=1)}


def check_list(
    judged: Judged, k: int, only: int | None, targets: set[int], places: dict, scores: np.ndarray, rated: set[int]
) -> None:
    low, high = judged.indptr[k], judged.indptr[k + 1]
    met = {i: r for i, r in places.items() if i in ({only} if only is not None else rated)}
    assert dict(zip(judged.item[low:high].tolist(), judged.rank[low:high].tolist(), strict=True)) == met
    assert judged.rank[low:high].tolist() == sorted(met.values())
    assert judged.length[k] == len(places)
    assert judged.computed[k] == sum(not np.isnan(scores[i]) for i in targets)
    assert judged.targets[k] == len(targets)
    for e in range(low, high):
        own = scores[judged.item[e]]
        if np.isnan(own):
            assert np.isnan(judged.score[e])
            continue
        assert judged.score[e] == np.float32(own)
        others = [scores[i] for i in targets if i != judged.item[e]]
        assert judged.above[e] == sum(o > own for o in others)
        assert judged.tied[e] == sum(o == own for o in others)


@pytest.mark.parametrize(
    ("seed", "ties"),
    [(0, "item"), (1, "trec"), pytest.param(0, "trec", marks=heavy), pytest.param(1, "item", marks=heavy)],
)
def test_counting_ranks_as_sorting_does(seed: int, ties: str) -> None:
    rng = np.random.default_rng(seed)
    n_users, n_items = int(rng.integers(20, 70)), int(rng.integers(24, 40))
    split = random_split(rng, n_users, n_items)
    scores = random_scores(rng, n_users, n_items)
    orders = {
        "none": None,
        "popularity": split.train.item_counts.astype(float),
        "partly": np.where(rng.random(n_items) < 0.5, np.nan, rng.integers(0, 3, n_items).astype(float)),
    }
    plan = plan_of(split, orders, ties, seed, count_ties=True)
    check_plan(plan, rank(Table(scores), plan), scores)


def check_plan(plan: RankPlan, found: Ranked, scores: np.ndarray) -> None:
    split, tie = plan.split, plan.ties[0].keys(plan.split.train.items)
    for target in plan.targets:
        for rule in (target.own_relevance,) if target.own_relevance else plan.relevances:
            sample = samples(plan, target, rule) if target.sample_size else {}
            part = split_for(split, target)
            relevance = rule.judge(part.test, plan.users, 5.0, train=split.train)
            for name, order in plan.fallbacks.items():
                judged = judge_ranks(found.of(target, rule, name, plan.ties[0]), relevance)
                k = 0
                for at, user in enumerate(plan.users):
                    rated = set(part.test.item[part.test.user == user].tolist())
                    lists = slow_lists(split, target, rule, int(user), sample)
                    if not lists and not target.single:  # only a sample is ranked, of which nothing is known from outside
                        k += 1
                        continue
                    for only, targets in lists:
                        assert judged.owner[k] == at
                        places = slowly(targets, scores[user], order, tie)
                        check_list(judged, k, only, targets, places, scores[user], rated)
                        k += 1
                assert k == len(judged)


def test_one_relevant_list_holds_a_share_of_each_class() -> None:
    """Items by count: 5 4 | 3 2 | 1 0 in three classes; the item with 3 ratings competes with that of 2 alone."""
    split = random_split(np.random.default_rng(1), 30, 30)
    members, classes = candidates(split, make("target", "targets(relevant=one, percentiles=3)").form)
    assert sorted(np.bincount(list(classes.values())).tolist()) == [10, 10, 10]
    counts = split.train.item_counts + split.test.item_counts
    for a in members:
        for b in members:
            assert not (classes[a] < classes[b] and counts[a] < counts[b])


def test_a_random_ranking_puts_the_relevant_item_anywhere_with_equal_chance() -> None:
    rng = np.random.default_rng(3)
    split = random_split(rng, 2000, 60)
    plan = RankPlan(
        split=split,
        users=users_of(split),
        targets=(make("target", "OnePlusRandom(9)"),),
        fallbacks={"none": None},
        ties=(make("ties", "item"),),
        seed=7,
    )
    ranks = rank(Table(rng.random((2000, 60))), plan).of(plan.targets[0], None, "none", "item")
    counts = np.bincount(ranks.rank, minlength=11)[1:]
    expected = counts.sum() / 10
    assert counts.sum() > 10_000
    assert (np.abs(counts - expected) < 5 * np.sqrt(expected)).all()


def test_threads_and_blocks_do_not_change_ranks() -> None:
    rng = np.random.default_rng(5)
    split = random_split(rng, 300, 50)
    model = Table(random_scores(rng, 300, 50))
    for ties in ("item", "random(3)"):
        plan = plan_of(split, {"none": None}, ties, 1, depth=5)
        seen = set()
        for n in (1, 2):
            for block in (1, 7, 4096):
                with threads.using(n):
                    found = rank(model, plan, block=block)
                parts = [r.rank.tobytes() + r.above.tobytes() + r.computed.tobytes() for _, r in found]
                parts += [r.lists.item.tobytes() for _, r in found if r.lists is not None]
                seen.add(b"".join(parts))
        assert len(seen) == 1


def test_more_sampled_items_than_candidates_are_refused() -> None:
    split = random_split(np.random.default_rng(0), 10, 20)
    for text, told in (
        ("OnePlusRandom(500)", r"500 items cannot be sampled from \d+ candidates"),
        ("P1R(9, percentiles=5)", r"9 items cannot be sampled from \d candidates of a popularity class"),
        ("targets(relevant=one, percentiles=21)", "20 items cannot be cut into 21 classes"),
        ("UAR", "UAR needs a split that gives every test item the same number"),
    ):
        with pytest.raises(HeldoutError, match=told):
            RankPlan(
                split=split,
                users=users_of(split),
                targets=(make("target", text),),
                fallbacks={"none": None},
                ties=(make("ties", "item"),),
                seed=1,
            )
