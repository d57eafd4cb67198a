"""Target protocols: forms, bounds, classes, estimators and stated rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from tests.heavy import heavy
from tests.metrics.sampled import BY_RANK, assert_no_better_way, means, moments_of, world
from tests.refusals import refused
from tests.targets.judging import judged_under, values
from tests.targets.tiny import random_split

import heldout as ho
from heldout.catalogue import make
from heldout.errors import SpecError
from heldout.metrics.corrected import sampled_ranks
from heldout.metrics.measuring import class_weights, measure
from heldout.tables import Interactions, Split, Vocabulary


@pytest.mark.parametrize("sample", ["", ", nonrelevant=12"])
@pytest.mark.parametrize("seed", range(6))
def test_precision_of_one_relevant_lists_is_bounded_by_that_of_all_relevant_ones(seed: int, sample: str) -> None:
    """Bellogín, Castells and Cantador 2017, eq. 2, with the same non-relevant items in both:
    |U| P@n / |PR| ≤ 1RP@n ≤ Σ_u m_u P_u@m_u / (n |PR|), m_u = n + |PR(u)| − 1."""
    rng = np.random.default_rng(seed)
    split, n = random_split(rng, 40, 50), 5
    scores = rng.standard_normal((40, 50))
    every = judged_under(split, scores, f"targets(candidates=test{sample})")
    one = judged_under(split, scores, f"targets(candidates=test, relevant=one{sample})")
    total = len(one)
    assert total == (every.relevance.relevant & True).sum()
    single = make("metric", f"P@{n}").measure(one).mean()
    lower = make("metric", f"P@{n}").measure(every).sum() / total
    depth = n + every.relevance.total(None) - 1
    hits = [
        (every.rank[a:b][every.relevant()[a:b]] <= m).sum()
        for a, b, m in zip(every.indptr, every.indptr[1:], depth, strict=False)
    ]
    assert lower <= single + 1e-12
    assert single <= sum(hits) / (n * total) + 1e-12
    assert lower < single  # some user has several relevant items


@pytest.mark.parametrize("target", ["AllItems", "TestRatings", "TestItems", "targets(candidates=test, nonrelevant=3)"])
def test_rho_is_the_mean_precision_of_random_rankings(target: str) -> None:
    """Also where a user has fewer than n targets."""
    rng = np.random.default_rng(8)
    split = random_split(rng, 30, 24)
    n, found = 4, []
    for _ in range(300):
        judged = judged_under(split, rng.random((30, 24)), target)
        found.append(values(judged, f"P@{n}").values[:, 0])
    rho = values(judged, f"Rho@{n}").values[:, 0]
    assert (judged.targets < n).any() == (target in ("TestRatings", "targets(candidates=test, nonrelevant=3)"))
    error = np.std(found, axis=0) / np.sqrt(len(found))
    assert (np.abs(np.mean(found, axis=0) - rho) < 4.5 * error + 1e-12).all()
    assert abs(np.mean(found) - rho.mean()) < 4 * np.std(np.mean(found, axis=1)) / np.sqrt(len(found)) + 1e-12


def test_rho_without_a_cut_off_is_one_over_t_in_lists_of_one_relevant_item() -> None:
    split = random_split(np.random.default_rng(1), 30, 40)
    judged = judged_under(split, np.zeros((30, 40)), "OnePlusRandom(9)", "threshold(5)")
    assert set(make("metric", "Rho").measure(judged)[judged.targets == 10].tolist()) == {0.1}


def test_classes_are_averaged_one_by_one() -> None:
    """Within a class over its lists, then over classes: Σ_c (1/m)(1/n_c) Σ x."""
    rng = np.random.default_rng(3)
    split = random_split(rng, 40, 60)
    target = "targets(candidates=test, relevant=one, nonrelevant=4, percentiles=3)"
    judged = judged_under(split, rng.standard_normal((40, 60)), target)
    x = make("metric", "RR").measure(judged)
    wanted = np.mean([x[judged.stratum == c].mean() for c in range(3)])
    found = values(judged, "RR", target=target)
    weighed = ~np.isnan(found.values[:, 0])
    assert found.weights.sum() == pytest.approx(1)
    assert np.average(found.values[weighed, 0], weights=found.weights[weighed]) == pytest.approx(wanted)
    tested = np.arange(len(judged.relevance)) % 2 == 0
    some = measure(judged, [make("metric", "RR")], target=make("target", target), tested=tested)
    kept = tested[judged.owner]
    wanted = np.mean([x[(judged.stratum == c) & kept].mean() for c in range(3)])
    weighed = some.weights > 0
    assert np.average(some.values[weighed, 0], weights=some.weights[weighed]) == pytest.approx(wanted)


def test_users_of_a_class_can_count_the_same() -> None:
    rng = np.random.default_rng(3)
    split = random_split(rng, 40, 60)
    judged = judged_under(split, rng.standard_normal((40, 60)), "targets(relevant=one, percentiles=2)")
    weight = class_weights(judged, by_user=True, tested=None)
    x = make("metric", "RR").measure(judged)
    by_class = []
    for c in range(2):
        of_class = judged.stratum == c
        by_class.append(np.mean([x[of_class & (judged.owner == u)].mean() for u in set(judged.owner[of_class].tolist())]))
    assert (weight * x).sum() == pytest.approx(np.mean(by_class))


def test_the_head_leaves_test_relevance_and_candidates() -> None:
    """Item 0 has most ratings; with head=0.25 of 4 items it goes: R of user 0 is 1, not 2, and it is never ranked."""
    users, items = Vocabulary.numbered(3), Vocabulary.numbered(4)
    train = Interactions.build(users, items, np.array([1, 2, 0]), np.array([0, 0, 3]), np.array([5.0, 5, 5]))
    test = Interactions.build(users, items, np.array([0, 0, 1]), np.array([0, 1, 2]), np.array([5.0, 4, 5]))
    judged = judged_under(Split(train=train, test=test), np.tile([9.0, 3, 2, 1], (3, 1)), "targets(head=0.25)")
    assert judged.total_relevant().tolist() == [1, 1]
    assert judged.item.tolist() == [1, 2]
    assert judged.rank.tolist() == [1, 2]
    assert judged.targets.tolist() == [2, 3]  # 1 and 2; 1, 2 and 3


def test_forms_that_make_no_sense_are_refused() -> None:
    for text, where, found in (
        ("targets(percentiles=10)", "targets: 'percentiles'", 10),
        ("targets(average=rating)", "targets: 'average'", "rating"),
        ("targets(relevant=one, corrected=cls)", "targets: 'corrected'", "cls"),
        ("targets(nonrelevant=0)", "targets: 'nonrelevant'", 0),
        ("targets(nonrelevant=some)", "targets: 'nonrelevant'", "some"),
    ):
        with refused(SpecError, where=where, found=found):
            make("target", text)


def test_short_names_are_the_general_form() -> None:
    for short, long in (
        ("AllItems", "targets()"),
        ("TestItems", "targets(candidates=test)"),
        ("TrainingItems", "targets(candidates=training)"),
        ("OnePlusRandom(99)", "targets(candidates=test, relevant=one, nonrelevant=99, pool=unrated)"),
        (
            "OnePlusRandom(99, relevance=threshold(5))",
            "targets(candidates=test, relevant=one, nonrelevant=99, pool=unrated, relevance=threshold(5))",
        ),
        ("P1R(99)", "targets(candidates=test, relevant=one, nonrelevant=99, percentiles=10)"),
    ):
        one, other = make("target", short), make("target", long)
        assert one.form == other.form
        assert one.own_relevance == other.own_relevance
        assert make("target", str(other)) == other


STATING = "OnePlusRandom(20, relevance=threshold(5))"
COUNTS = [
    {"user": f"u{u}", "item": f"i{(7 * u + 3 * k) % 40}", "value": 1 if (u + k) % 9 else 6}
    for u in range(60)
    for k in range(12)
]
"""Purchases: one in nine is of five pieces or more."""
STUDY: dict[str, Any] = {
    "split": "ratio(train=0.6)",
    "users": [["with_train", "with_relevant"]],
    "recommend": ["Popularity", "ItemKNN"],
    "relevance": "threshold(1)",
    "metrics": ["HitRate@5"],
    "compare": "none",
}


def ratings(rows: list[dict[str, Any]]) -> Any:
    import polars as pl

    return pl.DataFrame(rows)


def users_under(target: str) -> set[int]:
    """How many users stand behind the values under a target."""
    results = ho.run({**STUDY, "data": ratings(COUNTS), "target": target}, progress=False)
    return {row.users for row in results.findings.leaderboard}


def test_the_rule_of_the_study_holds() -> None:
    assert users_under("OnePlusRandom(20)") == users_under("AllItems") == {60}


def test_another_rule_holds_once_it_is_stated() -> None:
    assert max(users_under(STATING)) < 60
    assert make("target", "OnePlusRandom(20)").own_relevance is None
    assert str(make("target", STATING)) == "OnePlusRandom(nonrelevant=20, relevance=threshold(tau=5))"


def test_settings_on_fewer_users_are_counted_as_such() -> None:
    """The target that states threshold(5) tests only users with a large purchase; every form says so."""
    both = ho.run({**STUDY, "data": ratings(COUNTS), "target": ["AllItems", STATING], "compare": "t"}, progress=False)
    users = {row.setting: row.users for row in both.findings.leaderboard}
    assert users[0] == 60 and [row.other_users for row in both.findings.verdict.rows] == [0, users[1]]
    assert f"The other setting rests on other users than the primary one ({users[1]} instead of 60)." in both.verdict
    settings = both.tables["settings"]
    remark = f"{users[1]} other users"
    first, second = settings.frame["Remark"]
    assert "other users" not in (first or "") and remark in second
    assert remark in both.to_html() and remark in settings.to_latex()
    shared = ho.run({**STUDY, "data": ratings(COUNTS), "target": ["AllItems", "OnePlusRandom(20)"]}, progress=False)
    assert "other users" not in shared.verdict + shared.tables["settings"].to_markdown()


@heavy
def test_all_buyers_of_ta_feng_are_tested(real_data: Callable[[str], Path]) -> None:
    """Only 1,477 of the 11,661 tested users bought five or more pieces of a product."""
    keys = {**STUDY, "data": f'tafeng("{real_data("ta-feng")}")', "filters": [["duplicates(keep=sum)", "core(10)"]]}
    targets = ["AllItems", "OnePlusRandom(99)", "OnePlusRandom(99, relevance=threshold(5))"]
    study = {**keys, "split": "temporal(at=0.8)", "users": "with_test", "recommend": "Popularity", "target": targets}
    results = ho.run(study, progress=False)
    assert [row.users for row in results.findings.leaderboard] == [11_661, 11_661, 1_477]


def test_data_of_clicks_need_no_rule_in_the_target() -> None:
    clicks = ratings([row | {"value": 1} for row in COUNTS])
    results = ho.run({**STUDY, "data": clicks, "target": ["AllItems", "OnePlusRandom(20)"]}, progress=False)
    assert len(results.tables["all-leaderboards"].frame) == 4
    with refused(ho.InputError, where="target: OnePlusRandom", found=1.0, hint="to follow the study's rule"):
        ho.run({**STUDY, "data": clicks, "target": ["AllItems", STATING]}, progress=False)
    fixed = STATING.replace("threshold(5)", "threshold(1)")
    assert (
        len(
            ho.run({**STUDY, "data": clicks, "target": ["AllItems", fixed]}, progress=False).tables["all-leaderboards"].frame
        )
        == 4
    )


def test_a_stated_rule_is_checked_for_runs_made_elsewhere_too() -> None:
    test = {"u1": {"i1": 1, "i2": 1}, "u2": {"i3": 1}}
    run = {"u1": {"i1": 2.0, "i2": 1.0}, "u2": {"i3": 1.0}}
    with refused(ho.InputError, where="target: targets", found=1.0, expected="relevant under threshold(tau=5)"):
        ho.evaluate(test, run, "P@1", target="targets(relevance=threshold(5))", relevance="threshold(1)")
    # The rule of the study judges nothing here.
    stated = ho.evaluate(test, run, "P@1", target="targets(relevance=threshold(1))", relevance="threshold(5)")
    assert stated.tables["all-leaderboards"].frame["value"].to_list() == [1.0]


def test_equally_tested_items_make_a_uniform_target() -> None:
    users, items = Vocabulary.numbered(4), Vocabulary.numbered(5)
    test = Interactions.build(users, items, np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1]), np.full(4, 5.0))
    train = Interactions.build(users, items, np.array([0, 0, 1]), np.array([2, 3, 4]), np.full(3, 5.0))
    judged = judged_under(Split(train=train, test=test), np.random.default_rng(0).random((4, 5)), "UAR")
    assert judged.targets.tolist() == [2, 2, 2, 2]
    assert judged_under(Split(train=train, test=test), np.zeros((4, 5)), "U1R(1)").targets.tolist() == [2, 2, 2, 2]


@pytest.mark.parametrize("estimator", ["cls", "bv"])
def test_the_correction_removes_most_of_the_bias(estimator: str) -> None:
    """One relevant item in eight stands at rank 1, which a sample of an eighth tells badly from ranks 2 to 8."""
    split, scores = world()
    truth = means(split, scores, "targets(relevant=one)")
    plain = np.abs(means(split, scores, "targets(relevant=one, nonrelevant=50)") - truth)
    left = np.abs(means(split, scores, f"targets(relevant=one, nonrelevant=50, corrected={estimator})") - truth)
    assert (left < 0.4 * plain).all(), left / plain
    assert (left < 0.1 * plain)[:2].all(), left / plain


@pytest.mark.parametrize("metric", ["Recall@5", "nDCG@10", "RR"])
def test_estimators_minimise_what_they_say(metric: str) -> None:
    """Against the whole matrix of chances: its bounded least squares, and the gradient of bias² + γ variance."""
    exact = BY_RANK[metric].astype(float)[:61]
    chances = sampled_ranks(60, 12, 0, 61)
    given = moments_of(chances, exact)
    # f̂(1) = f(1) − d_0, f̂(2) = f(1) − d_0 − d_1, …, each step at least 0; the last value is at least 0 by the metric
    steps = lsq_linear(-chances @ np.tril(np.ones((13, 13))), exact - exact[0], bounds=(0, np.inf), method="bvls", tol=1e-15)
    best = exact[0] - np.cumsum(steps.x)
    found = make("estimator", "cls").values(*given)
    loss_of = [np.sum((chances @ values - exact) ** 2) for values in (found, best)]
    assert loss_of[0] == pytest.approx(loss_of[1], rel=1e-9) if best[-1] >= 0 else loss_of[0] >= loss_of[1]
    assert_no_better_way(found, lambda values: float(np.sum((chances @ values - exact) ** 2)), exact[0])

    def loss(values: np.ndarray) -> float:
        mean, square = chances @ values, chances @ values**2
        return float(np.sum((mean - exact) ** 2 + 0.1 * (square - mean**2)))

    found = make("estimator", "bv").values(*given)
    for way in np.eye(13):
        assert loss(found + 1e-4 * way) > loss(found) < loss(found - 1e-4 * way)
