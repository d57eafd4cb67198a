"""Corrected values of sampled targets: against the full ranking, and against the distribution of sampled ranks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from scipy.stats import hypergeom
from tests.targets.tiny import Table, users_of

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.corrected import sampled_ranks
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import measure
from heldout.tables import Interactions, Split, Vocabulary
from heldout.targets.ranker import RankPlan, rank

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
    return Split(train=train, test=test), scores


def means(split: Split, scores: np.ndarray, target: str) -> np.ndarray:
    made, rule = make("target", target), make("relevance", "threshold(4)")
    plan = RankPlan(
        split=split,
        users=users_of(split),
        targets=(made,),
        fallbacks={"none": None},
        ties=(make("ties", "item"),),
        seed=3,
        relevances=(rule,),
    )
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


def moments_of(chances: np.ndarray, exact: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """What estimators start from."""
    n = len(exact)
    return chances.T @ chances / n, chances.T @ exact / n, chances.mean(axis=0), float(exact[0])


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("metric", BY_RANK)
def test_expected_bias_of_99_among_1700(metric: str, spread: str) -> None:
    """No draws: E[value] − truth is a sum over ranks, here for relevant items whose ranks fall off in four ways."""
    exact, share = BY_RANK[metric].astype(float), SPREADS[spread] / SPREADS[spread].sum()
    chances = sampled_ranks(1699, 99, 0, 1700)
    truth, met = share @ exact, share @ chances
    plain = abs(met @ exact[:100] - truth)
    for name in ("cls", "bv"):
        values = make("estimator", name).values(*moments_of(chances, exact))
        assert abs(met @ values - truth) < 0.15 * plain, name


def assert_no_better_way(found: np.ndarray, loss: Callable[[np.ndarray], float], first: float) -> None:
    """The loss is convex: no small step towards a corner of what is allowed lowers it."""
    assert found[0] <= first and found[-1] >= 0 and (np.diff(found) <= 1e-12).all()
    for k in range(len(found) + 1):
        corner = np.where(np.arange(len(found)) < k, first, 0.0)
        assert loss(found + 1e-5 * (corner - found)) >= loss(found) * (1 - 1e-9)


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


def test_a_sample_of_everything_needs_no_correction() -> None:
    split, scores = world()
    truth = means(split, scores, "targets(relevant=one)")
    for estimator in ("cls", "bv"):
        whole = means(split, scores, f"targets(relevant=one, nonrelevant=400, corrected={estimator})")
        np.testing.assert_allclose(whole, truth, rtol=1e-12)


@pytest.mark.parametrize("sampled", [5, 20, 99])
@pytest.mark.parametrize("pool", [120, 1699])
@pytest.mark.parametrize("metric", BY_RANK)
def test_corrected_values_fall_within_the_range(metric: str, pool: int, sampled: int) -> None:
    exact = 5 * BY_RANK[metric].astype(float)[: pool + 1]
    chances = sampled_ranks(pool, sampled, 0, pool + 1)
    found = make("estimator", "cls").values(*moments_of(chances, exact))
    assert (np.diff(found) <= 1e-12).all()
    assert (found >= 0).all()
    assert 0.05 < found[0] <= exact[0]
    assert_no_better_way(found, lambda values: float(np.sum((chances @ values - exact) ** 2)), exact[0])


def test_the_bound_is_needed_and_not_a_clip() -> None:
    """Without it Recall@10 of rank 1 would be above 1 here; with it the values below are others than without."""
    exact = BY_RANK["Recall@10"].astype(float)[:401]
    chances = sampled_ranks(400, 50, 0, 401)
    squares, cross, mean, first = moments_of(chances, exact)
    free = make("estimator", "cls").values(squares, cross, mean, np.inf)
    bound = make("estimator", "cls").values(squares, cross, mean, first)
    assert free[0] > 1.001
    assert bound[0] == 1
    assert not np.allclose(np.minimum(free, 1), bound)
    assert np.sum((chances @ bound - exact) ** 2) < np.sum((chances @ np.minimum(free, 1) - exact) ** 2)


def test_other_metrics_refuse() -> None:
    split, scores = world()
    made = make("target", "OnePlusRandom(20, corrected=bv)")
    plan = RankPlan(
        split=split, users=users_of(split), targets=(made,), fallbacks={"none": None}, ties=(make("ties", "item"),), seed=3
    )
    judged = judge_ranks(
        rank(Table(scores), plan).of(made, None, "none", "item"), made.relevance.judge(split.test, plan.users, 5)
    )
    with pytest.raises(NotApplicableError, match="AUC cannot be corrected"):
        measure(judged, [make("metric", "AUC")], target=made)
