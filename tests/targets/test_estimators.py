"""Corrections of sampled ranks: each minimises what it says."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from tests.metrics.sampled import BY_RANK, assert_no_better_way, means, moments_of, world

from heldout.catalogue import make
from heldout.metrics.corrected import sampled_ranks


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
