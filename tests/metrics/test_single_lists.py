"""Lists of one relevant item."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared, split_folds
from heldout.experiment.judging import judgements_of
from heldout.experiment.ranks import Fitted, plan_of
from heldout.metrics import measuring
from heldout.metrics.inverse_propensity import inverse_propensities
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import FEW, kinds, measure, of_kinds
from heldout.study.file import study_from
from heldout.tables import Background, Interactions, Judged, Vocabulary
from heldout.targets.ranker import Ranks

USERS, ITEMS = Vocabulary.numbered(3), Vocabulary.numbered(9)
# user 0 rated items 0, 1, 2 with 5, 5, 3; user 1 rated item 3 with 2; user 2 rated items 4 and 5 with 5 and 4
TEST = Interactions.build(
    USERS, ITEMS, np.array([0, 0, 0, 1, 2, 2]), np.array([0, 1, 2, 3, 4, 5]), np.array([5.0, 5, 3, 2, 5, 4])
)
TARGET = make("target", "OnePlusRandom(4, relevance=threshold(5))")
# item 0 ranks first, item 1 fourth; item 4 could not be scored and is not ranked
RANKS = Ranks(
    target=TARGET,
    indptr=TEST.user_indptr,
    rank=np.array([1, 4, 2, 1, 0, 2], np.int32),
    above=np.zeros(6, np.int32),
    tied=np.zeros(6, np.int32),
    computed=np.array([4, 4, 3], np.int32),
    length=np.array([4, 4, 3], np.int32),
    targets=np.array([4, 4, 4], np.int32),
    scored=np.array([1, 1, 1, 1, 0, 1], bool),
    candidate=np.ones(6, bool),
)
JUDGED = judge_ranks(RANKS, TARGET.own_relevance.judge(TEST, np.arange(3, dtype=np.int32), 5.0))


def test_one_list_for_each_relevant_rating() -> None:
    assert JUDGED.owner.tolist() == [0, 0, 2]
    assert JUDGED.length.tolist() == [5, 5, 3]
    assert JUDGED.targets.tolist() == [5, 5, 5]
    assert JUDGED.computed.tolist() == [5, 5, 3]


@pytest.mark.parametrize(
    ("metric", "of_user_0"),
    [
        ("P@2", (1 / 2 + 0) / 2),
        ("Recall@2", (1 + 0) / 2),
        ("AP", (1 + 1 / 4) / 2),
        ("RR", (1 + 1 / 4) / 2),
        ("nDCG", (1 / log2(2) + 1 / log2(5)) / 2),
        ("nDCG(gain=binary)@2", (1 + 0) / 2),
        ("bpref", 1.0),
        ("Rho@2", 1 / 5),
    ],
)
def test_values_are_means_over_the_users_lists(metric: str, of_user_0: float) -> None:
    measured = measure(JUDGED, [make("metric", metric)])
    assert measured.values[0, 0] == pytest.approx(of_user_0)
    assert np.isnan(measured.values[1, 0])  # no relevant rating, no list
    assert measured.lists.tolist() == [2, 0, 1]


def test_an_unranked_item_scores_zero() -> None:
    assert measure(JUDGED, [make("metric", "RR"), make("metric", "Recall")]).values[2].tolist() == [0.0, 0.0]


def of_popular_items() -> Judged:
    """The same lists, where items 0 and 1 are relevant to 1 and 4 users and have 1 and 4 training ratings."""
    users, many = Vocabulary.numbered(6), np.zeros(9, np.int64)
    many[:6] = [1, 4, 1, 1, 1, 1]
    user = np.concatenate([np.arange(n) for n in many])
    train = Interactions.build(users, ITEMS, user, np.repeat(np.arange(9), many), np.full(len(user), 5.0))
    background = Background(items=ITEMS, train=train, positives=many, ratings=many)
    return judge_ranks(
        RANKS, TARGET.own_relevance.judge(TEST, np.arange(3, dtype=np.int32), 5.0, train=train, background=background)
    )


@pytest.mark.parametrize("few", [0, FEW])
def test_stratified_recall_weighs_the_users_lists(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """γ = 1: item 0, a hit, weighs 1, item 1, a miss, 1/2; plain recall would be 1/2 for any γ."""
    monkeypatch.setattr(measuring, "FEW", few)
    names = ["StratifiedRecall(gamma=1)@2", "StratifiedRecall(gamma=0)@2", "Recall@2", "StratifiedRecall(gamma=1)@5"]
    found = measure(of_popular_items(), [make("metric", name) for name in names]).values
    assert found[0] == pytest.approx([1 / (1 + 1 / 2), 1 / 2, 1 / 2, 1])
    assert np.isnan(found[1]).all()  # no relevant item, no list
    assert found[2] == pytest.approx([0, 0, 0, 0])  # item 4 is not ranked


def test_self_normalised_estimates_weigh_the_users_lists() -> None:
    """Item 1 has more ratings than item 0, so that it was likelier to be rated and weighs less."""
    judged = of_popular_items()
    first, second = inverse_propensities(judged.relevance, None, "test")[:2]
    assert first > second
    found = measure(judged, [make("metric", name) for name in ("Recall(snips)@2", "DCG(snips, gain=binary)")]).values
    total = first + second
    assert found[0] == pytest.approx([first / total, (first / log2(2) + second / log2(5)) / total])


METRICS = [
    make("metric", text)
    for text in ("P@5", "Recall@10", "nDCG@10", "nDCG(gain=exp2)@3", "AP", "RR@7", "DCG", "ERR@5", "HitRate@1", "AUC")
]  # fmt: skip


@pytest.fixture(scope="module")
def judged() -> Judged:
    keys = {
        "data": "simulate(users=120, items=90, ratings=3000)",
        "split": "ratio(train=0.5)",
        "recommend": ["UserKNN(k=3)"],
        "target": "OnePlusRandom(30, relevance=threshold(3))",
        "metrics": "P@5",
    }
    study = study_from(keys)
    fold = next(next(split_folds(study, Prepared(), Clock()))[1])
    ranked = Fitted(system=study.recommend[0], plan=plan_of(study, fold), clock=Clock()).ranks(None)
    return next(judgements_of(study, fold, study.recommend[0], ranked, METRICS)).judged


def test_a_kind_is_a_rank_and_a_grade(judged: Judged) -> None:
    kind, examples = kinds(judged)
    rank = np.zeros(len(judged), dtype=int)
    rank[judged.list_of] = judged.rank
    told = list(zip(rank.tolist(), judged.relevance.grade[judged.only].tolist(), strict=True))
    assert len(examples) == len(set(told))
    assert all(told[examples[k]] == told[n] for n, k in enumerate(kind.tolist()))
    assert 0 in rank  # some list lacks its item: the system could not score it


@pytest.mark.parametrize("weighed", [False, True])
def test_same_bytes_as_list_by_list(judged: Judged, monkeypatch: pytest.MonkeyPatch, weighed: bool) -> None:
    assert [of_kinds(judged, m) for m in METRICS] == [True] * 9 + [False]
    weight = np.random.default_rng(1).random(len(judged)) if weighed else None
    monkeypatch.setattr(measuring, "FEW", 0)
    quick = measuring._means(judged, METRICS, None, weight)
    monkeypatch.setattr(measuring, "FEW", 10**9)
    assert quick.tobytes() == measuring._means(judged, METRICS, None, weight).tobytes()
