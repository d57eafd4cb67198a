"""Metrics on trial: everything together, and what is refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
from tests.metric_quality.studies import small_study
from tests.refusals import refused

from heldout.errors import NotApplicableError, SpecError, UnknownNameError
from heldout.metric_quality.analysis import metric_findings, steps_of
from heldout.metric_quality.findings import MetricFindings
from heldout.metric_quality.judged_systems import SystemsOnTrial, judged_systems
from heldout.metric_quality.options import DEPTHS, METRICS, MetricOptions, metrics_at
from heldout.storage.codec import to_plain

OPTIONS = MetricOptions(shares=(1.0, 0.5, 0.1), item_shares=(1.0, 0.9), samples=5, flips=500)


@cache
def judged() -> SystemsOnTrial:
    return next(judged_systems(small_study()))


@cache
def tried() -> MetricFindings:
    return metric_findings(judged(), undefined_as_zero=True, options=OPTIONS)


def test_everything_is_there() -> None:
    steps: list[str] = []
    quality = metric_findings(judged(), undefined_as_zero=True, options=OPTIONS, step=steps.append)
    assert to_plain(quality) == to_plain(tried())  # nothing depends on chance
    assert Counter(steps) == steps_of(OPTIONS)
    assert (quality.pairs, quality.folds, len(quality.rows)) == (10, 1, 3)
    assert len(quality.missing) == 9
    assert len(quality.popularity) == 6
    assert [matrix.title for matrix in quality.between_metrics] == ["@5"]
    assert [matrix.title for matrix in quality.between_depths] == ["nDCG"]
    assert "Over 10 pairs" in quality.sentence
    assert quality.fold_digests == judged().fold_digests


def test_columns_from_elsewhere_enter_the_rows() -> None:
    rows = metric_findings(judged(), undefined_as_zero=True, options=OPTIONS, others={"P@5": {"validity_tau": 0.7}}).rows
    assert {row.metric: row.validity_tau for row in rows}["P@5"] == 0.7
    assert all(np.isnan(row.validity_tau) for row in rows if row.metric != "P@5")


def test_metrics_at_depths() -> None:
    assert len(metrics_at()) == len(METRICS) * len(DEPTHS)
    assert [str(m) for m in metrics_at(["P", "AUC", "nDCG@3"], [5, 10])] == ["P@5", "P@10", "AUC", "nDCG@3"]
    assert [str(m) for m in metrics_at("RR", ())] == ["RR"]
    assert [str(m) for m in metrics_at("ILD", [5, 10])] == ["ILD@5", "ILD@10"]  # which has no value at 1
    with refused(SpecError, where="ILD: cut-off", found=1, expected="at least 2", hint="ILD@10") as refusal:
        metrics_at("ILD", [1])
    assert "no distance" in refusal.value.what
    with refused(SpecError, where="nDCG: cut-off", found=0, expected="at least 1"):
        metrics_at("nDCG", [0])
    with refused(UnknownNameError, hint="did you mean nDCG?"):
        metrics_at("nDGC")
    with refused(SpecError, where="metrics", hint="such as P, Recall"):
        metrics_at([])


def test_options_that_mean_nothing_are_refused() -> None:
    with refused(UnknownNameError, where="rule", found="mean_q", hint="mean_p"):
        MetricOptions(rule=("mean_q",))
    with refused(SpecError, where="rule", hint="such as"):
        MetricOptions(rule=())
    with refused(SpecError, where="shares", found=[1.0, 0.0], expected="above 0 and at most 1"):
        MetricOptions(shares=(1.0, 0.0))
    with refused(SpecError, where="samples", found=0, expected="at least 1 sample"):
        MetricOptions(samples=0)
    with refused(SpecError, where="level", found=5, expected="above 0 and below 1"):
        MetricOptions(level=5)
    with refused(SpecError, where="flips", found=0, expected="at least 1 sign flip"):
        MetricOptions(flips=0)


def test_systems_that_never_differ_are_refused_and_a_pair_of_them_is_named() -> None:
    values = judged().values
    same = replace(judged(), values=np.repeat(values[:, :1], values.shape[1], axis=1))
    with refused(NotApplicableError, hint="try systems that differ, or deeper cut-offs"):
        metric_findings(same, undefined_as_zero=True, options=OPTIONS)
    twins = values.copy()
    twins[:, 1] = twins[:, 0]
    quality = metric_findings(replace(judged(), values=twins), undefined_as_zero=True, options=OPTIONS)
    assert any(text.startswith("Popularity and Random have the same values") for text in quality.limits)
    assert max(quality.power[0].curve) == 1.0


def test_no_user_left_is_said() -> None:
    few = replace(judged(), folds=tuple(replace(fold, least_rated=9) for fold in judged().folds))
    options = replace(OPTIONS, shares=(1.0, 0.05))
    quality = metric_findings(few, undefined_as_zero=True, options=options)
    assert any("With 5% of the test ratings or less no sample orders the systems by any metric" in t for t in quality.limits)
    emptied = [point for point in quality.missing if point.share == 0.05]
    assert all(point.samples == 0 and np.isnan(point.tau) and point.users == 0 for point in emptied)


def test_no_item_left_is_said() -> None:
    quality = metric_findings(judged(), undefined_as_zero=True, options=replace(OPTIONS, item_shares=(1.0, 0.001)))
    assert any("With 0.1% of the items or less no sample orders the systems by any metric" in t for t in quality.limits)


def test_metrics_that_never_look_at_test_ratings_are_not_robust_to_missing_ones() -> None:
    study = replace(small_study(), metrics=metrics_at(["ILD@5", "P@5"]))
    quality = metric_findings(next(judged_systems(study)), undefined_as_zero=True, options=OPTIONS)
    diversity = next(row for row in quality.rows if row.metric == "ILD@5")
    assert np.isnan([diversity.missing_tau, diversity.missing_low, diversity.popularity_tau]).all()
    assert diversity.reliability == diversity.reliability
    assert {point.metric for point in (*quality.missing, *quality.popularity)} == {"P@5"}
    assert any(text.startswith("ILD@5 never looks at test ratings and cannot be tried") for text in quality.limits)
    assert not any("never look" in text for text in tried().limits)


def test_samples_by_user_and_popularity_in_training() -> None:
    options = replace(OPTIONS, sampling="user", popularity="train")
    quality = metric_findings(judged(), undefined_as_zero=True, options=options)
    assert (quality.sampling, quality.counting) == ("user", "train")
    [fold] = judged().folds
    few = next(point for point in quality.missing if point.share == 0.1)
    assert few.users == sum(round(0.1 * n) > 0 for n in fold.relevance.rated.tolist())
    assert few.users != next(point for point in tried().missing if point.share == 0.1).users
    trained, item = judged().trained[0], fold.relevance.item
    order = sorted((i for i in range(len(trained)) if trained[i]), key=lambda i: (trained[i], -i))
    kept = set(order[: round(0.9 * len(order))])
    users = {u for u, i in zip(fold.relevance.owner, item, strict=True) if i in kept or not trained[i]}
    assert next(point for point in quality.popularity if point.share == 0.9).users == len(users)
    with refused(UnknownNameError, where="sampling", found="users", hint="user"):
        MetricOptions(sampling="users")  # type: ignore[arg-type]
    with refused(SpecError, where="popularity", hint="train=…"):
        metric_findings(replace(judged(), trained=()), undefined_as_zero=True, options=options)
