"""Truncated hitting time by hand and against the recursion."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.recommenders import HT


def test_by_hand(ratings):
    # u – a – v – b. A walk from b meets u at step 3 with ½·½ = ¼: of 4 steps it saves 1, of 3 none.
    train = ratings([[1, 0], [1, 1]])
    scores = HT(steps=4).fit(train, seed=1).score(np.arange(2))
    assert scores[0, 1] == pytest.approx(0.25)
    assert np.isnan(HT(steps=3).fit(train, seed=1).score(np.arange(2))[0, 1])
    # From a, u is met at step 1 with ½ (3 saved) and at step 3 by a – v – a – u with ½·½·½ (1 saved).
    assert scores[0, 0] == pytest.approx(0.5 * 3 + 0.125)


@pytest.mark.parametrize("values", ["rating", "binary"])
@pytest.mark.parametrize("steps", [2, 5, 8])
def test_against_the_recursion(steps, values, some_ratings):
    weight = some_ratings.to_csr(values).toarray()
    n_users = len(weight)
    graph = np.block([[np.zeros((n_users, n_users)), weight], [weight.T, np.zeros((40, 40))]])
    total = graph.sum(1, keepdims=True)
    chance = np.divide(graph, total, out=np.zeros_like(graph), where=total > 0)
    scores = HT(steps=steps, values=values).fit(some_ratings, seed=1).score(np.arange(90))
    for u in (0, 11, 89):
        times = np.zeros(len(graph))
        for _ in range(steps):
            times = 1 + chance @ times
            times[u] = 0
        saved = steps - times[n_users:]
        saved[(weight.sum(0) == 0) | (saved < 1e-9)] = np.nan
        np.testing.assert_allclose(scores[u], saved, rtol=1e-4, atol=1e-6)


def test_what_cannot_be_reached_is_not_scored(ratings):
    # Two users and two items that have nothing to do with each other.
    scores = HT().fit(ratings([[3, 0], [0, 4]]), seed=1).score(np.arange(2))
    np.testing.assert_array_equal(np.isnan(scores), [[False, True], [True, False]])
