"""SLIM by hand and by the conditions that make its weights the best."""

from __future__ import annotations

import numpy as np
import pytest
from tests.heavy import heavy

from heldout import catalogue
from heldout.errors import NotApplicableError
from heldout.recommenders import SLIM, guards


def _dense(matrix, n):
    out = np.zeros((n, n))
    for r in range(n):
        own = slice(matrix.indptr[r], matrix.indptr[r + 1])
        out[r, matrix.indices[own]] = matrix.values[own]
    return out


def test_by_hand(ratings):
    # Both items rated by the same 2 users: AᵀA = [[2, 2], [2, 2]], so w = (2 − ½)/(2 + 1) = ½.
    scores = SLIM(l1=0.5, l2=1).fit(ratings([[5, 1], [3, 3], [0, 0]]), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores, [[0.5, 0.5], [0.5, 0.5], [np.nan, np.nan]], rtol=1e-6)


def test_a_strong_l1_leaves_nothing_to_score_by(ratings):
    assert np.isnan(SLIM(l1=2.5, l2=1).fit(ratings([[5, 1], [3, 3]]), seed=1).score(np.arange(2))).all()


@pytest.mark.parametrize(("l1", "l2"), [(0.05, 0.1), (0.5, 5), (2, 1)])
@pytest.mark.parametrize("values", ["binary", "rating"])
def test_optimality_conditions(l1, l2, values, some_ratings):
    train = some_ratings
    a = train.to_csr(values).toarray()
    w = _dense(SLIM(l1=l1, l2=l2, values=values).weights(train), train.n_items)
    assert (w >= 0).all()
    assert (np.diag(w) == 0).all()
    assert 0.01 < (w > 0).mean() < 0.9
    slope = a.T @ (a - a @ w) - l2 * w - l1
    np.fill_diagonal(slope, -1.0)
    assert abs(slope[w > 0]).max() < 1e-4
    assert slope[w == 0].max() < 1e-4


@heavy
def test_optimality_conditions_on_movielens_100k(real_data):
    train = catalogue.make("reader", f'movielens("{real_data("ml-100k/u.data")}")').read().interactions()
    a = train.to_csr("binary")
    w = _dense(SLIM(l1=1, l2=50).weights(train), train.n_items)
    slope = np.asarray((a.T @ a).toarray()) - (a.T @ a) @ w - 50 * w - 1
    np.fill_diagonal(slope, -1.0)
    assert (w > 0).sum() > 20_000
    assert abs(slope[w > 0]).max() < 1e-4
    assert slope[w == 0].max() < 1e-4


def test_users_and_items_without_ratings_cannot_be_scored(some_ratings):
    scores = SLIM(l1=0.01, l2=1).fit(some_ratings, seed=1).score(np.arange(64))
    assert np.isnan(scores[7]).all()
    assert np.isnan(scores[:, [3, 39]]).all()
    assert np.isfinite(scores[0]).sum() > 20


def test_too_many_items_for_the_machine_are_refused(monkeypatch, ratings):
    monkeypatch.setattr(guards.threads, "memory", lambda: 1)
    with pytest.raises(NotApplicableError, match="2 rated items need"):
        SLIM().fit(ratings([[1, 1]]), seed=1)


def test_products_that_overflow_are_refused(ratings):
    with pytest.raises(NotApplicableError, match="overflow"):
        SLIM(values="rating").fit(ratings([[1e200, 1e200]]), seed=1)
