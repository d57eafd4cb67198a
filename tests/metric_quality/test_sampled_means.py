"""Means on samples of the test set: the quick way against judging again, and both against trec_eval."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pytrec_eval
from tests.metric_quality.studies import small_study

from heldout.catalogue import make
from heldout.metric_quality.judged_systems import judged_systems
from heldout.metric_quality.sampled_means import FoldLists, sampled_means
from heldout.metric_quality.samples import RatingSamples, least_popular, random_samples
from heldout.metric_quality.stability import system_means
from heldout.metrics.judge import judge_rankings
from heldout.metrics.metric import Metric
from heldout.tables import Rankings, Relevance
from heldout.tables.arrays import frozen

USERS, ITEMS, LISTED = 30, 60, 40
SYSTEMS = ("A", "B", "C")
METRICS = tuple(
    make("metric", f"{name}@{n}")
    for name in (
        "P", "Recall", "AP", "nDCG", "nDCG(gain=binary)", "nDCG(gain=exp2, discount=zipf)", "RR", "HitRate", "bpref",
        "infAP", "infAP(pool=judged)", "P(rel=3)", "Recall(rel=5)", "bpref(rel=3)",
    )
    for n in (1, 5, 20)
)  # fmt: skip
OTHERS = tuple(
    make("metric", text)
    for text in (
        "RPrecision", "ERR@10", "RBP@10", "F@5", "AUC", "AP", "nDCG", "Recall", "bpref(count=all)@20",
        "infAP(pool_depth=2)@20",
        "infAP(count=to_rank)@20",
    )
)  # fmt: skip
TREC = {"P@5": "P_5", "Recall@5": "recall_5", "AP@20": "map_cut_20", "nDCG@5": "ndcg_cut_5", "AP": "map", "bpref": "bpref"}


def fold_of(seed: int, *, negative: bool = False, least_relevant: int = 0) -> FoldLists:
    draw = np.random.default_rng(seed)
    rated = [np.sort(draw.choice(ITEMS, draw.integers(1, 15), replace=False)) for _ in range(USERS)]
    item = np.concatenate(rated)
    low = -2 if negative else 1
    grade = draw.integers(low, 6, len(item)).astype(np.float64)
    indptr = np.concatenate([[0], np.cumsum([len(one) for one in rated])])
    relevance = Relevance(
        users=frozen(np.arange(USERS), np.int32),
        indptr=frozen(indptr, np.int64),
        item=frozen(item, np.int32),
        grade=frozen(grade, np.float64),
        relevant=frozen(grade >= 4, np.bool_),
        top_grade=5.0,
    )
    judged = {}
    for system in SYSTEMS:
        lists = np.concatenate([draw.permutation(ITEMS)[:LISTED] for _ in range(USERS)])
        if system == "C":  # which has no list for some
            lists = lists[: 20 * LISTED]
        users = len(lists) // LISTED
        rankings = Rankings(
            frozen(np.arange(users), np.int32),
            frozen(np.arange(users + 1) * LISTED, np.int64),
            frozen(lists, np.int32),
            frozen(np.tile(-np.arange(LISTED, dtype=np.float64), users), np.float64),
        )
        judged[system] = judge_rankings(
            rankings, relevance, n_items=ITEMS, targets=np.full(USERS, ITEMS, np.int32), keep_lists=True
        )
    eligible = np.arange(USERS) != 3
    return FoldLists(
        relevance=relevance,
        judged=judged,
        target=make("target", "AllItems"),
        eligible=eligible,
        least_relevant=least_relevant,
    )


def samples_of(fold: FoldLists, seed: int) -> list[RatingSamples]:
    nested = random_samples([len(fold.relevance.item)], (1.0, 0.5, 0.05), range(7), seed=seed)
    return [nested.of_share(k) for k in range(3)]


@pytest.mark.parametrize("undefined_as_zero", [True, False])
@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("least_relevant", [0, 1])
def test_both_ways_give_the_same(undefined_as_zero: bool, negative: bool, least_relevant: int) -> None:
    folds = [fold_of(seed, negative=negative, least_relevant=least_relevant) for seed in (1, 2)]
    metrics = [m for m in (*METRICS, *OTHERS) if not (negative and "gain" in type(m).__annotations__)]
    for kept in zip(*(samples_of(fold, k) for k, fold in enumerate(folds)), strict=True):
        both = [
            sampled_means(folds, kept, metrics, SYSTEMS, undefined_as_zero=undefined_as_zero, quick=quick)
            for quick in (True, False)
        ]
        np.testing.assert_allclose(both[0].values, both[1].values, rtol=1e-12, atol=1e-14)
        assert np.array_equal(both[0].users, both[1].users)


@pytest.mark.parametrize("seed", range(3))
def test_each_sample_equals_trec_eval_on_its_judgements(seed: int) -> None:
    fold = fold_of(seed)
    metrics: list[Metric] = [make("metric", text) for text in TREC]
    rows = fold.relevance
    for samples in samples_of(fold, seed):
        ours = sampled_means([fold], [samples], metrics, ("A", "B"), undefined_as_zero=True)
        for sample in range(samples.count):
            kept = samples.kept(sample) & fold.eligible[rows.owner]
            qrels: dict[str, dict[str, int]] = {}
            for owner, item, grade in zip(rows.owner[kept], rows.item[kept], rows.grade[kept], strict=True):
                qrels.setdefault(str(owner), {})[str(item)] = int(grade)
            assert ours.users[sample] == len(qrels)
            theirs = pytrec_eval.RelevanceEvaluator(qrels, set(TREC.values()), relevance_level=4)
            for s, system in enumerate(("A", "B")):
                by_user = theirs.evaluate(run_of(fold, system))
                expected = [np.mean([by_user[user][name] for user in qrels]) for name in TREC.values()]
                np.testing.assert_allclose(ours.values[:, s, sample], expected, rtol=1e-9, atol=1e-12)


def run_of(fold: FoldLists, system: str) -> dict[str, dict[str, float]]:
    lists = fold.judged[system].lists
    assert lists is not None
    return {
        str(user): {str(item): float(-rank) for rank, item in enumerate(lists.item[low:high])}
        for user, low, high in zip(lists.users, lists.indptr, lists.indptr[1:], strict=False)
    }


@pytest.mark.parametrize(
    "target",
    [
        "AllItems",
        "TestItems",
        "TrainingItems",
        "TestRatings",
        "OnePlusRandom(N=9)",
        "P1R(N=3, m=2)",
        "targets(nonrelevant=9)",
        "targets(candidates=training, pool=unrated)",
        "targets(relevant=one, pool=unrated)",
    ],
)
def test_the_whole_test_set_as_a_sample_has_the_values_of_the_study(target: str, tmp_path: Path) -> None:
    # Few ratings of many items: some test items have no training rating, so that they are no candidates of TrainingItems.
    items = tmp_path / "items.csv"
    items.write_text("item_id,p\n" + "".join(f"{k},{1 / (1 + k % 4)}\n" for k in range(200)))
    weighed = f'AP(ips, propensity=column(p, "{items}"))@20'
    study = small_study(
        data="simulate(users=60, items=150, ratings=900)",
        target=target,
        recommend=["Popularity", "Random"],
        metrics=["AUC", "UROC", "Rho", "nDCG@5", "Recall@20", "AP", "bpref", "RR@10", weighed, "Recall(snips)@5"],
    )
    (judged,) = judged_systems(study)
    (fold,) = judged.folds
    whole = RatingSamples(words=np.ones(len(fold.relevance.item), np.uint64), count=1)
    for quick in (True, False):
        means = sampled_means([fold], [whole], judged.metrics, judged.systems, undefined_as_zero=False, quick=quick)
        np.testing.assert_allclose(means.values[:, :, 0], np.nanmean(judged.values, axis=2), rtol=1e-12)


def test_users_without_a_value_count_as_zero_except_in_areas() -> None:
    study = small_study(
        data="simulate(users=60, items=150, ratings=900)",
        recommend=["Popularity", "Random"],
        metrics=["AUC", "UROC", "AUC(if_undefined=zero)", "AP"],
    )
    (judged,) = judged_systems(study)
    assert np.isnan(judged.values).any()
    skipped, counted = np.nanmean(judged.values, axis=2), np.nan_to_num(judged.values).mean(axis=2)
    expected = np.concatenate([skipped[:2], counted[2:]])
    whole = RatingSamples(words=np.ones(len(judged.folds[0].relevance.item), np.uint64), count=1)
    means = sampled_means(judged.folds, [whole], judged.metrics, judged.systems, undefined_as_zero=True)
    np.testing.assert_allclose(means.values[:, :, 0], expected, rtol=1e-12)
    of_systems = [row.means for row in system_means(judged, undefined_as_zero=True)]
    np.testing.assert_allclose(of_systems, expected, rtol=1e-12)


def test_a_user_whose_ratings_are_all_left_out_is_not_tested() -> None:
    fold = fold_of(4)
    nothing = RatingSamples(words=np.zeros(len(fold.relevance.item), np.uint64), count=2)
    means = sampled_means([fold], [nothing], METRICS[:2], SYSTEMS, undefined_as_zero=True)
    assert means.users.tolist() == [0, 0]
    assert np.isnan(means.values).all()


def test_blocks_of_users_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = fold_of(6)
    kept = samples_of(fold, 6)[1]
    whole = sampled_means([fold], [kept], METRICS, SYSTEMS, undefined_as_zero=False)
    monkeypatch.setattr("heldout.metric_quality.sampled_means.USERS_AT_ONCE", 7)
    blocks = sampled_means([fold], [kept], METRICS, SYSTEMS, undefined_as_zero=False)
    np.testing.assert_allclose(blocks.values, whole.values, rtol=1e-13)
    assert np.array_equal(blocks.users, whole.users)


def test_the_most_popular_items_go_first() -> None:
    # Items 0 … 4 have 5, 1, 3, 0 and 2 ratings; item 3 is in no part of the data and does not count.
    samples = least_popular(np.array([5, 1, 3, 0, 2]), np.array([0, 1, 2, 4, 4]), (1.0, 0.75, 0.5))
    assert [samples.kept(k).tolist() for k in range(3)] == [
        [True, True, True, True, True],
        [False, True, True, True, True],
        [False, True, False, True, True],
    ]
