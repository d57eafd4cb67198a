"""Which estimators there are, what each is held against, and whether a bias means something."""

from __future__ import annotations

import numpy as np
from tests.refusals import refused

from heldout.biases.protocols import ProtocolOptions
from heldout.biases.truth.estimators import (
    PROPENSITIES,
    TruthEstimator,
    base_metrics,
    declared_estimators,
    true_metric,
    weighed_by,
)
from heldout.catalogue import make
from heldout.errors import UNKNOWN, SpecError, UnknownNameError
from heldout.study.file import study_from
from heldout.tables import Interactions, Split, Vocabulary

LEAST = {"data": "simulate", "split": "ratio", "recommend": "Popularity", "relevance": "threshold(4)"}
CHOICES = next(study_from(LEAST).judgements())


def declared(*metrics: str, known: bool = True) -> dict[str, TruthEstimator]:
    estimators, _ = declared_estimators(base_metrics(metrics), ProtocolOptions(), CHOICES, knows_propensities=known)
    return {estimator.name: estimator for estimator in estimators}


def test_every_protocol_of_the_issue_is_there() -> None:
    protocols = {estimator.protocol for estimator in declared("P@10", "Recall@10", "DCG(gain=binary)@10").values()}
    wanted = {"AI-AR", "AR", "1R", "P1R", "U1R", "UAR", "1R-head", "AI-AR-head", "condensed", "stratified recall", "bpref"}
    wanted |= {"infAP", "sampled", "sampled (cls)", "sampled (bv(gamma=0.1))"}
    wanted |= {f"{way} ({kind})" for way in ("IPS", "SNIPS") for kind in PROPENSITIES}
    assert wanted <= protocols


def test_a_bias_is_told_only_where_estimand_and_scale_are_those_of_the_truth() -> None:
    estimators = declared("P@10", "Recall@10", "DCG(gain=binary)@10", "nDCG(gain=binary)@10")
    scaled = {name for name, estimator in estimators.items() if estimator.same_scale}
    plain = {f"AI-AR by {m}" for m in ("P@10", "Recall@10", "DCG(gain=binary)@10", "nDCG(gain=binary)@10")}
    ips = {f"IPS ({kind}) by {m}" for kind in PROPENSITIES for m in ("P@10", "DCG(gain=binary)@10")}
    snips = {f"SNIPS ({kind}) by Recall@10" for kind in PROPENSITIES}
    assert scaled == plain | ips | snips | {"infAP by AP", "stratified recall by Recall@10"}


def test_without_known_propensities_nothing_is_weighed_by_them() -> None:
    assert not any("known" in name for name in declared("P@10", known=False))


def test_only_some_protocols() -> None:
    some, _ = declared_estimators(
        base_metrics("P@5"), ProtocolOptions(), CHOICES, knows_propensities=True, only=["AI-AR", "UAR"]
    )
    assert [estimator.name for estimator in some] == ["AI-AR by P@5", "UAR by P@5"]
    with refused(UnknownNameError, where="protocols", found="AIAR", hint="AI-AR"):
        declared_estimators(base_metrics("P@5"), ProtocolOptions(), CHOICES, knows_propensities=True, only=["AIAR"])


def test_which_users_an_estimator_averages() -> None:
    """User 0 has a relevant test rating of 5, user 1 one of 4, user 2 one of 1; user 3 only trains."""
    users, items = Vocabulary.numbered(4), Vocabulary.numbered(3)
    train = Interactions.build(users, items, np.array([3]), np.array([0]), np.array([5.0]))
    test = Interactions.build(users, items, np.arange(3), np.zeros(3, int), np.array([5.0, 4.0, 1.0]))
    split, rules = Split(train=train, test=test, fold=0), [make("users", "with_test")]
    relevance = make("relevance", "threshold(4)")

    def counted(name: str, metric: str, *, as_zero: bool) -> list[bool]:
        group = declared(metric)[f"{name} by {metric}"].averages(undefined_as_zero=as_zero)
        return list(group.counted(split, rules, relevance))

    assert counted("IPS (flat)", "P@10", as_zero=False) == [True, True, True, True]
    assert counted("AI-AR", "P@10", as_zero=False) == [True, True, True, False]
    assert counted("AI-AR", "Recall@10", as_zero=True) == [True, True, True, False]
    assert counted("AI-AR", "Recall@10", as_zero=False) == [True, True, False, False]
    assert counted("AI-AR", "Recall(rel=5)@10", as_zero=False) == [True, False, False, False]
    assert counted("SNIPS (flat)", "Recall@10", as_zero=True) == [True, True, False, False]
    columns = {e.averages(undefined_as_zero=True).column for e in declared("P@10", "Recall@10", "Recall(rel=5)@10").values()}
    assert len(columns) == 4  # all, tested, with a relevant rating by the study's rule, and by a rating of 5


def test_metrics_that_cannot_be_held_against_the_truth_are_refused() -> None:
    for text in ("Recall(estimate=snips)@10", "RMSE", "ItemCoverage@10"):
        with refused(SpecError, where="metrics", found=text, expected="a plain metric of users"):
            base_metrics([text])
    with refused(SpecError, where="metrics", found=UNKNOWN, hint="such as P@10"):
        base_metrics([])


def test_a_sampled_truth_weighs_by_the_sampling_rate() -> None:
    p, recall, ndcg = (make("metric", text) for text in ("P@10", "Recall@10", "nDCG(gain=binary)@10"))
    assert true_metric(p, sampled=False) == (p, True)
    weighed, same = true_metric(p, sampled=True)  # type: ignore[misc]
    assert str(weighed) == 'P(estimate=ips, propensity=column(column="sampling rate", table=propensities))@10' and same
    assert true_metric(recall, sampled=True)[0].estimate == "snips"  # type: ignore[index]
    weighed, same = true_metric(ndcg, sampled=True)  # type: ignore[misc]
    assert weighed.key == "DCG" and str(weighed.gain) == "binary" and weighed.n == 10 and not same
    weighed, same = true_metric(make("metric", "AP"), sampled=True)  # type: ignore[misc]
    assert weighed.key == "AP" and weighed.estimate == "ips" and same
    assert true_metric(make("metric", "RR"), sampled=True) is None


def test_metrics_that_know_no_such_estimate_are_not_weighed() -> None:
    assert weighed_by(make("metric", "P@10"), "snips", "known") is None
    assert weighed_by(make("metric", "RR"), "ips", "known") is None
