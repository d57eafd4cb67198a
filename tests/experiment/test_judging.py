"""A system's lists, judged in every way of a study: which there are, who is tested, and what is read only once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.experiment.ranked import prepared

from heldout import Study
from heldout.experiment.clock import Clock
from heldout.experiment.folds import Fold
from heldout.experiment.judging import Judgement, judgements_of, relevances_of, source_of
from heldout.experiment.ranks import Fitted, plan_of

RATINGS = {
    "user": ["u"] * 6 + ["v"] * 6 + ["w"] * 6,
    "item": list("abcdef") * 3,
    "rating": [5, 4, 3, 2, 1, 5, 1, 2, 1, 2, 1, 2, 4, 4, 4, 4, 4, 4],
}
KEYS: dict[str, Any] = {
    "data": RATINGS,
    "split": "ratio(train=0.5, by=user)",
    "recommend": ["Popularity"],
    "metrics": ["P@2"],
    "users": ["all", "with_relevant"],
    "relevance": ["threshold(2)", "threshold(4)"],
    "target": ["AllItems", "TestItems"],
    "ties": ["item", "expected"],
}


@pytest.fixture(scope="module")
def study_and_fold() -> tuple[Study, Fold]:
    return prepared(KEYS)


def judgements(study: Study, fold: Fold) -> list[Judgement]:
    (system,) = study.recommend
    ranked = Fitted(system=system, plan=plan_of(study, fold), clock=Clock()).ranks(None)
    return list(judgements_of(study, fold, system, ranked, study.metrics))


def test_one_judgement_for_each_target_relevance_and_tie_rule(study_and_fold: tuple[Study, Fold]) -> None:
    judged = judgements(*study_and_fold)
    protocols = [key for judgement in judged for key, _ in judgement.tested]
    assert len(judged) == 2 * 2 * 2 and len(set(protocols)) == len(protocols) == 2 * len(judged)
    assert {key.users for key in protocols} == {"all", "with_relevant"}
    for judgement in judged:
        for key, _ in judgement.tested:
            assert (key.target, key.relevance, key.ties) == (
                str(judgement.choices.target),
                str(judgement.choices.relevance),
                str(judgement.choices.ties),
            )


def test_who_is_tested_follows_the_relevance_rule(study_and_fold: tuple[Study, Fold]) -> None:
    """v rated nothing above 2, so nothing of v's is relevant from 4 on; all of w's is."""
    study, fold = study_and_fold
    ids = fold.split.train.users.decode(fold.users).to_list()
    for judgement in judgements(study, fold):
        masks = {key.users: dict(zip(ids, mask.tolist(), strict=True)) for key, mask in judgement.tested}
        assert masks["all"] == dict.fromkeys("uvw", True)
        assert masks["with_relevant"]["w"]
        if judgement.choices.relevance.key == "threshold" and "4" in str(judgement.choices.relevance):
            assert not masks["with_relevant"]["v"]


def test_relevance_is_judged_once_for_each_rule_and_head(study_and_fold: tuple[Study, Fold]) -> None:
    study, fold = study_and_fold
    relevances = relevances_of(study, fold, study.metrics)
    assert sorted(relevances) == [("threshold(tau=2)", 0.0), ("threshold(tau=4)", 0.0)]
    judged = judgements(study, fold)
    strict = [j.judged.relevance for j in judged if str(j.choices.relevance) == "threshold(tau=4)"]
    assert all(one is strict[0] for one in strict)
    assert strict[0].grade.tolist() == relevances["threshold(tau=4)", 0.0].grade.tolist()


def test_scores_that_are_no_ratings_are_not_taken_for_them(study_and_fold: tuple[Study, Fold]) -> None:
    assert not any(judgement.judged.predicts_ratings for judgement in judgements(*study_and_fold))
    predicting = prepared({**KEYS, "recommend": ["SVD(factors=2)"], "metrics": ["RMSE"], "relevance": "threshold(4)"})
    assert all(judgement.judged.predicts_ratings for judgement in judgements(*predicting))


def test_the_source_of_a_fold(study_and_fold: tuple[Study, Fold]) -> None:
    study, fold = study_and_fold
    assert source_of(study, fold) is study.data[0]
    other, _ = prepared({**KEYS, "data": "simulate(users=20, items=20, ratings=200)"})
    assert source_of(other, fold) is None
    assert np.array_equal(fold.users, [0, 1, 2])
