"""How often users were drawn, and the shares of pairs beyond a region."""

from __future__ import annotations

import numpy as np

from heldout.kernels.resampling import count_draws, signed_rank_draws


def test_draws_are_added_up() -> None:
    times = np.zeros((2, 4), np.float32)
    count_draws(np.array([[0, 3, 3], [1, 1, 1]], np.int32), times)
    assert times.tolist() == [[1, 0, 0, 2], [0, 3, 0, 0]]


def test_shares_of_weighed_pairs_of_sums() -> None:
    """All pairs (i, j), i = j among them: the share of weight where d_i + d_j is above 2r, below −2r, and between."""
    draw = np.random.default_rng(1)
    differences, rope = draw.normal(0.2, 1, 12), 0.3
    weights = draw.dirichlet(np.ones(12), 5)
    order = np.argsort(differences)
    ascending = differences[order]
    above = np.searchsorted(ascending, 2 * rope - ascending, side="right")
    below = np.searchsorted(ascending, -2 * rope - ascending, side="left")
    theta = np.empty((5, 3))
    signed_rank_draws(weights, order, above, below, theta)
    sums = differences[:, None] + differences
    for r, own in enumerate(weights):
        pairs = np.outer(own, own)
        expected = [pairs[sums > 2 * rope].sum(), pairs[abs(sums) <= 2 * rope].sum(), pairs[sums < -2 * rope].sum()]
        np.testing.assert_allclose(theta[r], expected, atol=1e-12)
