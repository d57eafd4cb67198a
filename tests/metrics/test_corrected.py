"""Corrected values of sampled targets: against the full ranking, and against the distribution of sampled ranks."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import hypergeom
from tests.metrics.sampled import BY_RANK, RANKS, assert_no_better_way, means, moments_of, world
from tests.targets.tiny import Table, users_of

from heldout.catalogue import make
from heldout.errors import NotApplicableError
from heldout.metrics.corrected import sampled_ranks
from heldout.metrics.judge import judge_ranks
from heldout.metrics.measuring import measure
from heldout.targets.ranker import RankPlan, rank


def test_sampled_ranks_are_hypergeometric() -> None:
    """Of 30 items r stand above; of 7 drawn, the number above is hypergeometric."""
    found = sampled_ranks(30, 7, 3, 12)
    for k, above in enumerate(range(3, 12)):
        np.testing.assert_allclose(found[k], hypergeom.pmf(np.arange(8), 30, above, 7), atol=1e-12)
    np.testing.assert_allclose(sampled_ranks(30, 30, 0, 31), np.eye(31), atol=1e-9)


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
        values = make("estimator", name).values(*moments_of(chances, exact))
        assert abs(met @ values - truth) < 0.15 * plain, name


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
    relevance = make("relevance", "threshold(5)").judge(split.test, plan.users, 5)
    judged = judge_ranks(rank(Table(scores), plan).of(made, None, "none", "item"), relevance)
    with pytest.raises(NotApplicableError, match="AUC cannot be corrected"):
        measure(judged, [make("metric", "AUC")], target=made)
