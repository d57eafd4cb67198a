"""EASE by hand and against the definition."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue
from heldout.errors import NotApplicableError
from heldout.recommenders import EASE, guards


def test_by_hand(ratings):
    # Both items rated by users 0 and 1: XᵀX + 2I = [[4, 2], [2, 4]], P = [[4, −2], [−2, 4]]/12, B = [[0, ½], [½, 0]].
    scores = EASE(l2=2).fit(ratings([[5, 1], [3, 3], [0, 0]]), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores, [[0.5, 0.5], [0.5, 0.5], [np.nan, np.nan]], rtol=1e-6)


@pytest.mark.parametrize("values", ["binary", "rating"])
def test_against_the_definition(values, some_ratings):
    x = some_ratings.to_csr(values).toarray()
    p = np.linalg.inv(x.T @ x + 10 * np.eye(x.shape[1]))
    b = -p / np.diag(p)
    np.fill_diagonal(b, 0)
    expected = x @ b
    expected[7] = np.nan
    expected[:, [3, 39]] = np.nan
    scores = EASE(l2=10, values=values).fit(some_ratings, seed=1).score(np.arange(90))
    np.testing.assert_allclose(scores, expected, rtol=1e-4, atol=1e-5)


def test_lambda_is_another_name_of_l2():
    assert catalogue.make("recommender", "EASE(λ=20)") == EASE(l2=20)


def test_too_many_items_for_the_machine_are_refused(monkeypatch, ratings):
    monkeypatch.setattr(guards.threads, "memory", lambda: 1)
    with pytest.raises(NotApplicableError, match="2 rated items need"):
        EASE().fit(ratings([[1, 1]]), seed=1)
