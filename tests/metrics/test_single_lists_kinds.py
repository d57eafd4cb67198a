"""Lists of one relevant item, measured kind by kind, have the bytes of lists measured one by one."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Prepared, split_folds
from heldout.experiment.judging import judgements_of
from heldout.experiment.ranks import Fitted, plan_of
from heldout.metrics import measuring
from heldout.metrics.single_lists import kinds, of_kinds
from heldout.study.file import study_from
from heldout.tables import Judged

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
    fold = next(next(split_folds(study, Prepared([], []), Clock()))[1])
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
