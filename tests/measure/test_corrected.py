"""Corrected values of sampled targets: against the full ranking, and against the distribution of sampled ranks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from scipy.stats import hypergeom
from tests.target.tiny import Table, users_of

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.measure.corrected import sampled_ranks
from heldout.measure.judge import judge_ranks
from heldout.measure.measuring import measure
from heldout.tables import Interactions, Split, Vocabulary
from heldout.target.ranker import RankPlan, rank

METRICS = ("Recall@5", "P@5", "nDCG(gain=binary)@5", "AP@5", "RR@10")


def test_sampled_ranks_are_hypergeometric() -> None:
    """Of 30 items r stand above; of 7 drawn, the number above is hypergeometric."""
    found = sampled_ranks(30, 7, 3, 12)
    for k, above in enumerate(range(3, 12)):
        np.testing.assert_allclose(found[k], hypergeom.pmf(np.arange(8), 30, above, 7), atol=1e-12)
    np.testing.assert_allclose(sampled_ranks(30, 30, 0, 31), np.eye(31), atol=1e-9)


def world() -> tuple[Split, np.ndarray]:
    """A relevant item of each of 3,000 users among 400, near the top for most; users' pools differ in size."""
    rng = np.random.default_rng(4)
    users, items = Vocabulary.numbered(3000), Vocabulary.numbered(400)
    scores = rng.standard_normal((3000, 400))
    one = rng.integers(0, 400, 3000)
    scores[np.arange(3000), one] += rng.exponential(1.2, 3000)
    test = Interactions.build(users, items, np.arange(3000), one, np.full(3000, 5.0))
    user = np.repeat(np.arange(3000), rng.integers(0, 60, 3000))
    pairs = np.unique(np.column_stack([user, rng.integers(0, 400, len(user))]), axis=0)
    pairs = pairs[one[pairs[:, 0]] != pairs[:, 1]]
    train = Interactions.build(users, items, pairs[:, 0], pairs[:, 1], np.full(len(pairs), 3.0))
    return Split(train, test), scores


def means(split: Split, scores: np.ndarray, target: str) -> np.ndarray:
    made, rule = make("target", target), make("relevance", "threshold(4)")
    plan = RankPlan(split, users_of(split), (made,), {"none": None}, (make("ties", "item"),), 3, relevances=(rule,))
    ranks = rank(Table(scores), plan).of(made, rule, "none", "item")
    judged = judge_ranks(ranks, rule.judge(split.test, plan.users, 5.0))
    return measure(judged, [make("metric", m) for m in METRICS], target=made).values.mean(axis=0)


@pytest.mark.parametrize("estimator", ["cls", "bv"])
def test_the_correction_removes_most_of_the_bias(estimator: str) -> None:
    """One relevant item in eight stands at rank 1, which a sample of an eighth tells badly from ranks 2 to 8."""
    split, scores = world()
    truth = means(split, scores, "targets(relevant=one)")
    plain = np.abs(means(split, scores, "targets(relevant=one, nonrelevant=50)") - truth)
    left = np.abs(means(split, scores, f"targets(relevant=one, nonrelevant=50, corrected={estimator})") - truth)
    assert (left < 0.4 * plain).all(), left / plain
    assert (left < 0.1 * plain)[:2].all(), left / plain


RANKS = np.arange(1.0, 1701)
BY_RANK = {
    "Recall@5": RANKS <= 5,
    "Recall@10": RANKS <= 10,
    "nDCG@10": (RANKS <= 10) / np.log2(RANKS + 1),
    "AP@10": (RANKS <= 10) / RANKS,
    "RR": 1 / RANKS,
}
SPREADS = {"power law": RANKS**-0.7, "exponential": np.exp(-RANKS / 170), "hyperbola": 1 / (RANKS + 20), "even": RANKS**0.0}


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("metric", BY_RANK)
def test_expected_bias_of_99_among_1700(metric: str, spread: str) -> None:
    """No draws: E[value] − truth is a sum over ranks, here for relevant items whose ranks fall off in four ways."""
    exact, share = BY_RANK[metric].astype(float), SPREADS[spread] / SPREADS[spread].sum()
    chances = sampled_ranks(1699, 99, 0, 1700)
    truth, met = share @ exact, share @ chances
    plain = abs(met @ exact[:100] - truth)
    for name in ("cls", "bv"):
        values = make("estimator", name).values(chances.T @ chances / 1700, chances.T @ exact / 1700, chances.mean(axis=0))
        assert abs(met @ values - truth) < 0.15 * plain, name


@pytest.mark.parametrize("metric", ["Recall@5", "nDCG@10", "RR"])
def test_estimators_minimise_what_they_say(metric: str) -> None:
    """Against the whole matrix of chances: its bounded least squares, and the gradient of bias² + γ variance."""
    exact = BY_RANK[metric].astype(float)[:61]
    chances = sampled_ranks(60, 12, 0, 61)
    given = chances.T @ chances / 61, chances.T @ exact / 61, chances.mean(axis=0)
    steps = lsq_linear(chances @ np.triu(np.ones((13, 13))), exact, bounds=(0, np.inf), method="bvls", tol=1e-15)
    found = make("estimator", "cls").values(*given)
    assert np.sum((chances @ found - exact) ** 2) == pytest.approx(2 * steps.cost, rel=1e-9)

    def loss(values: np.ndarray) -> float:
        mean, square = chances @ values, chances @ values**2
        return float(np.sum((mean - exact) ** 2 + 0.1 * (square - mean**2)))

    found = make("estimator", "bv").values(*given)
    for way in np.eye(13):
        assert loss(found + 1e-4 * way) > loss(found) < loss(found - 1e-4 * way)


def test_a_sample_of_everything_needs_no_correction() -> None:
    split, scores = world()
    truth = means(split, scores, "targets(relevant=one)")
    for estimator in ("cls", "bv"):
        whole = means(split, scores, f"targets(relevant=one, nonrelevant=400, corrected={estimator})")
        np.testing.assert_allclose(whole, truth, rtol=1e-12)


def test_corrected_values_fall_with_the_sampled_rank() -> None:
    chances = sampled_ranks(200, 20, 0, 201)
    exact = (np.arange(201) < 10) / 10
    found = make("estimator", "cls").values(chances.T @ chances / 201, chances.T @ exact / 201, chances.mean(axis=0))
    assert (np.diff(found) <= 1e-12).all()
    assert (found >= 0).all()
    assert found[0] > 0.05


def test_other_metrics_refuse() -> None:
    split, scores = world()
    made = make("target", "OnePlusRandom(20, corrected=bv)")
    plan = RankPlan(split, users_of(split), (made,), {"none": None}, (make("ties", "item"),), 3)
    judged = judge_ranks(
        rank(Table(scores), plan).of(made, None, "none", "item"), made.relevance.judge(split.test, plan.users, 5)
    )
    with pytest.raises(NotApplicableError, match="AUC cannot be corrected"):
        measure(judged, [make("metric", "AUC")], target=made)
