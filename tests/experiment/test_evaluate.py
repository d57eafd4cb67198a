"""Runs judged against a test set, by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.refusals import refused

from heldout.errors import InputError, NotApplicableError, SpecError, UnknownNameError
from heldout.experiment.evaluate import evaluation_of
from heldout.experiment.study_scores import StudyScores

TEST = {"user": ["u", "u", "v", "w"], "item": ["a", "b", "a", "c"], "rating": [5, 1, 4, 5]}
RUN = {"u": ["b", "x", "a"], "v": ["a", "b"]}


def study_scores(runs: Any = RUN, metrics: tuple[str, ...] = ("RR",), test: Any = TEST, **options: Any) -> StudyScores:
    return evaluation_of(test, runs, list(metrics), **{"relevance": "threshold(4)", **options}).study_scores()


def values(judged: StudyScores, metric: str = "RR") -> dict[Any, float]:
    frame = judged.per_user()
    return dict(zip(frame["user_id"], frame[metric], strict=True))


def test_every_tested_user_has_a_value_also_without_a_list() -> None:
    """a is third in u's list and first in v's; nothing was recommended to w."""
    judged = study_scores()
    assert values(judged) == {"u": pytest.approx(1 / 3), "v": 1.0, "w": 0.0}
    assert judged.per_user()["length"].to_list() == [3, 2, 0]
    (counts,) = judged.splits
    assert (counts.test, counts.train, counts.users) == (4, 0, 3)


def test_what_a_user_has_in_train_is_no_candidate() -> None:
    """Without b and x, which u has trained on, a comes first."""
    train = {"user": ["u", "w"], "item": ["x", "b"], "rating": [3, 3]}
    judged = study_scores(train=train)
    assert values(judged) == {"u": pytest.approx(1 / 2), "v": 1.0, "w": 0.0}
    assert judged.splits[0].train == 2
    with refused(InputError, where="test set", found=["user u, item a"], expected="disjoint training and test ratings"):
        study_scores(train={"user": ["u"], "item": ["a"], "rating": [3]})


def test_every_rule_is_a_protocol_of_its_own() -> None:
    judged = study_scores(
        relevance=["threshold(4)", "threshold(1)"], ties=["item", "trec"], target=["AllItems", "TestItems"]
    )
    assert len(judged.protocols()) == 2 * 2 * 2
    strict, lenient = (
        judged.per_user().filter(user_id="u", ties="item", target="AllItems", relevance=f"threshold(tau={tau})")["RR"].item()
        for tau in (4, 1)
    )
    assert (strict, lenient) == (pytest.approx(1 / 3), 1.0)  # b is rated 1
    of_tested = judged.per_user().filter(user_id="u", ties="item", target="TestItems", relevance="threshold(tau=4)")
    assert of_tested["RR"].item() == pytest.approx(1 / 2)  # x was rated by nobody


def test_scores_are_ratings_only_where_that_is_said() -> None:
    """Of u's ratings 5 and 1, 4 and 1 are predicted: errors 1 and 0."""
    test = {"user": ["u", "u"], "item": ["a", "b"], "rating": [5, 1]}
    run = {"user": ["u", "u"], "item": ["a", "b"], "score": [4.0, 1.0]}
    judged = study_scores(run, ("RMSE", "RR"), test, scores="ratings")
    assert values(judged, "RMSE") == {"u": pytest.approx(0.5**0.5)} and judged.left_out == ()
    ordered = study_scores(run, ("RMSE", "RR"), test)
    assert "RMSE" not in ordered.per_user().columns
    (reason,) = ordered.left_out
    assert reason.startswith("RMSE: ") and "rating scale" in reason
    with refused(NotApplicableError, where="RMSE", hint="the number would measure the scale of the scores"):
        study_scores(run, ("RMSE",), test)
    with refused(UnknownNameError, hint="did you mean ratings?"):
        study_scores(run, test=test, scores="rating")


def test_without_a_rule_relevance_follows_the_scale_of_all_ratings() -> None:
    """Among ratings of up to 5, 3 is not relevant; in a test set that ends at 4 it would be."""
    test = {"user": ["u", "u"], "item": ["b", "a"], "rating": [3, 4]}
    train = {"user": ["u", "v", "v"], "item": ["x", "a", "b"], "rating": [5, 1, 2]}
    evaluation = evaluation_of(test, {"u": ["a", "b"]}, ["P@2"], train=train)
    protocol, judged = evaluation.protocol, evaluation.study_scores()
    assert protocol.guess is not None and str(protocol.relevance[0]) == "threshold(tau=4)"
    assert values(judged, "P@2") == {"u": 0.5}
    assert values(evaluation_of(test, {"u": ["a", "b"]}, ["P@2"]).study_scores(), "P@2") == {"u": 1.0}


def test_what_is_refused() -> None:
    with refused(SpecError, where="runs"):
        evaluation_of(TEST, {}, ["RR"])
    twice = {"user": ["u", "u"], "item": ["a", "a"], "rating": [5, 4]}
    with refused(InputError, where="test set", found=["u", "a"], expected="each pair once"):
        evaluation_of(twice, RUN, ["RR"])
