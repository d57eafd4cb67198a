"""Ranks: counted as sorting does, the same in any blocks, shards and threads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.heavy import heavy
from tests.refusals import refused
from tests.targets.judging import judged_under, samples, values
from tests.targets.tiny import Table, random_scores, random_split, users_of

import heldout as ho
from heldout import threads
from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.experiment.ledger.ranks_part import write_ranks
from heldout.metrics.judge import judge_ranks
from heldout.recommenders.recommender import Recommender
from heldout.tables import Interactions, Judged, Split, Vocabulary
from heldout.targets import ranker
from heldout.targets.atoms import Atoms, CandidateSet, SetKey, candidate_set, head_of, shares_decided_by_id
from heldout.targets.ranker import Ranked, RankPlan, joined, rank, shard_of, split_for
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
    for text, parts in (
        ("OnePlusRandom(500)", {"found": 500, "expected": "the number of candidates"}),
        ("P1R(9, percentiles=5)", {"found": 9, "expected": "the number of candidates of a popularity class"}),
        ("targets(relevant=one, percentiles=21)", {"found": 21, "expected": "at most 20 percentiles"}),
        ("UAR", {"hint": "use split = uniform_test(share=0.2, keep=0.2)"}),
    ):
        with refused(NotApplicableError, where="target", **parts):
            RankPlan(
                split=split,
                users=users_of(split),
                targets=(make("target", text),),
                fallbacks={"none": None},
                ties=(make("ties", "item"),),
                seed=1,
            )


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


def test_shards_of_users_are_the_ranks_of_all_to_the_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ties counted in one tile of two, 300 users in shards of 128: also popularity classes, samples, heads and lists."""
    monkeypatch.setattr("heldout.targets.passes.TILES_PER_COUNT", 2)
    monkeypatch.setattr(ranker, "SHARD", 128)
    ratings = ho.read("simulate(users=300, items=50, ratings=4000)")
    [split] = make("split", "ratio(train=0.7, by=user)").split(ratings, seed=1)
    users = np.flatnonzero(split.test.user_counts > 0).astype(np.int32)
    texts = ("AllItems", "TestItems", "OnePlusRandom(10)", "TestRatings", "P1R(10, m=2)", "targets(head=0.1)")
    recommender: Recommender = make("recommender", "Popularity")
    plan = RankPlan(
        split=split,
        users=users,
        targets=tuple(make("target", text) for text in texts),
        fallbacks={text: make("fallback", text).order(split.train, seed=1) for text in ("none", "popularity")},
        ties=(make("ties", "item"), make("ties", "random"), make("ties", "expected")),
        seed=1,
        relevances=(make("relevance", "threshold(4)"),),
        depth=7,
    )
    model = recommender.fit(split.train, seed=1)
    parts = [rank(model, shard_of(plan, number)) for number in range(ranker.shards(plan))]
    assert len(parts) == 3
    write_ranks(rank(model, plan), tmp_path / "whole", "key")
    write_ranks(joined(parts), tmp_path / "joined", "key")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "joined").read_bytes()


USERS, ITEMS = Vocabulary.numbered(4), Vocabulary.numbered(6)


def ratings(*pairs: tuple[int, int]) -> Interactions:
    user, item = np.array(pairs).T
    return Interactions.build(USERS, ITEMS, user, item, np.ones(len(pairs)))


SPLIT = Split(train=ratings((0, 0), (1, 0), (2, 0), (0, 1), (0, 3)), test=ratings((3, 0), (1, 1), (1, 2), (2, 4)))
"""Ratings of items 0 to 5: 4, 2, 1, 1, 1 and 0; tested are 0, 1, 2 and 4, trained 0, 1 and 3."""


def members(**key: object) -> list[int]:
    chosen = SetKey(**{"candidates": "all", "head": 0.0, "percentiles": 1, **key})  # type: ignore[arg-type]
    return np.flatnonzero(candidate_set(SPLIT, chosen).member).tolist()


def test_who_belongs() -> None:
    assert members() == [0, 1, 2, 3, 4, 5]
    assert members(candidates="test") == [0, 1, 2, 4]
    assert members(candidates="training") == [0, 1, 3]
    assert members(candidates="test", head=0.2) == [1, 2, 4]


@pytest.mark.parametrize(("share", "head"), [(0.0, []), (0.2, [0]), (0.3, [0, 1]), (0.5, [0, 1, 2]), (1.0, [0, 1, 2, 3, 4])])
def test_the_head_is_a_share_of_the_rated_items(share: float, head: list[int]) -> None:
    """Of five rated items; halves round up (1.5 and 2.5), equal counts go by item order, item 5 is rated by nobody."""
    assert np.flatnonzero(head_of(SPLIT, share)).tolist() == head


def test_classes_are_of_equal_size_among_what_the_head_leaves() -> None:
    classes = candidate_set(SPLIT, SetKey("all", 0.0, 3))
    assert classes.stratum.tolist() == [0, 0, 1, 1, 2, 2] and classes.size.tolist() == [2, 2, 2]
    tested = candidate_set(SPLIT, SetKey("test", 0.2, 2))  # outside the head: 1, 2 | 3, 4, 5 by place · 2 // 5
    assert tested.stratum[[1, 2, 3, 4, 5]].tolist() == [0, 0, 0, 1, 1] and tested.size.tolist() == [2, 1]
    with refused(NotApplicableError, where="target", found=6, expected="at most 5 percentiles"):
        candidate_set(SPLIT, SetKey("all", 0.2, 6))


def test_what_the_order_of_ids_decides_is_known_by_class() -> None:
    """Items 0 to 5 have 4, 2, 1, 1, 1 and 0 ratings, of these 1, 1, 1, 0, 1 and 0 in test."""
    # Classes 0, 1 | 2, 3 | 4, 5: items 2, 3 and 4 are equally popular. All ratings of the last two classes are theirs.
    assert shares_decided_by_id(SPLIT, SetKey("test", 0.0, 3)).tolist() == [0.0, 1.0, 1.0]
    # Classes 0, 1, 2 | 3, 4, 5: one of three test ratings, and the only one.
    assert shares_decided_by_id(SPLIT, SetKey("test", 0.0, 2)).tolist() == [pytest.approx(1 / 3), 1.0]
    # A head of 1 item is cut off cleanly; one of 3 items is not, and its share comes first.
    assert shares_decided_by_id(SPLIT, SetKey("all", 0.2, 1)).tolist() == [0.0, 0.0]
    assert shares_decided_by_id(SPLIT, SetKey("all", 0.5, 1)).tolist() == [pytest.approx(1 / 3), 1.0]
    # Behind a head of 1 item: 1, 2, 3 | 4, 5, and the test ratings of the classes are 1, 2 and 4.
    assert shares_decided_by_id(SPLIT, SetKey("all", 0.2, 2)).tolist() == [0.0, 0.5, 1.0]


def test_of_equally_popular_items_lower_ids_are_more_popular() -> None:
    equal = Split(train=ratings((0, 0), (0, 1), (0, 2), (0, 3)), test=ratings((1, 4), (1, 5)))
    assert candidate_set(equal, SetKey("all", 0.0, 3)).stratum.tolist() == [0, 0, 1, 1, 2, 2]
    assert np.flatnonzero(head_of(equal, 0.5)).tolist() == [0, 1, 2]


def test_atoms_are_the_coarsest_that_tell_sets_and_classes_apart() -> None:
    sets = [candidate_set(SPLIT, SetKey("test", 0.0, 1)), candidate_set(SPLIT, SetKey("all", 0.0, 2))]
    atoms = Atoms.of(sets, 6)
    kinds = [(bool(sets[0].member[i]), int(sets[1].stratum[i])) for i in range(6)]
    assert atoms.n == len(set(kinds)) == 3
    for i in range(6):
        assert (bool(atoms.sets[0, atoms.atom[i]]), int(atoms.classes[1, atoms.atom[i]])) == kinds[i]
    nothing = Atoms.of([], 6)
    assert (nothing.n, nothing.atom.tolist(), nothing.sets.shape) == (1, [0] * 6, (0, 1))


def test_columns_lie_by_atom_and_within_it_by_the_tie_rule() -> None:
    member = np.array([True, False, True, False, True, False])
    atoms = Atoms.of([CandidateSet(member, np.zeros(6, np.int32), 1)], 6)
    tie = np.array([5, 4, 3, 2, 1, 0], np.int32)
    order, start, _, _, atom, column, place = atoms.columns(tie)
    assert order[column].tolist() == [0, 1, 2, 3, 4, 5]
    for a in range(2):
        inside = order[start[a] : start[a + 1]]
        assert set(atom[inside].tolist()) == {a} and (np.diff(tie[inside]) > 0).all()
        for i in range(6):  # where an item would stand among those of an atom
            assert place[i, a] - start[a] == (tie[inside] < tie[i]).sum()
