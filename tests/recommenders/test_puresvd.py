"""PureSVD by hand and against decompositions of others."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.errors import NotApplicableError
from heldout.recommenders import PureSVD


def test_by_hand(ratings):
    # RᵀR = [[3, 2], [2, 2]]: eigenvalue (5 + √17)/2, vector ∝ (2, (√17 − 1)/2) = (2, 1.5616), norm 2.5374.
    first = np.array([2, (np.sqrt(17) - 1) / 2]) / np.hypot(2, (np.sqrt(17) - 1) / 2)
    scores = PureSVD(factors=1).fit(ratings([[1, 1], [1, 1], [1, 0]]), seed=1).score(np.arange(3))
    np.testing.assert_allclose(scores[2], first[0] * first, rtol=1e-6)
    np.testing.assert_allclose(scores[2], [0.6213, 0.4851], atol=1e-4)


@pytest.mark.parametrize("values", ["rating", "binary"])
def test_against_a_full_decomposition(values, some_ratings):
    r = some_ratings.to_csr(values).toarray()
    u, s, q = np.linalg.svd(r)
    scores = PureSVD(factors=6, values=values).fit(some_ratings, seed=1).score(np.arange(64))
    expected = ((u[:, :6] * s[:6]) @ q[:6])[:64]
    known = np.ones(40, bool)
    known[[3, 39]] = False
    np.testing.assert_allclose(np.delete(scores[:, known], 7, 0), np.delete(expected[:, known], 7, 0), atol=1e-5)
    assert np.isnan(scores[7]).all()
    assert np.isnan(scores[:, ~known]).all()


def test_against_the_truncated_decomposition_of_scipy(real_data, some_ratings):
    from scipy.sparse.linalg import svds

    u, s, q = svds(some_ratings.to_csr(), k=10)
    scores = PureSVD(factors=10).fit(some_ratings, seed=1).score(np.arange(7))
    np.testing.assert_allclose(scores[:, 4:39], ((u * s) @ q)[:7, 4:39], atol=1e-5)


def test_the_seed_does_not_show(some_ratings):
    first, second = (PureSVD(factors=5).fit(some_ratings, seed=s).score(np.arange(6)) for s in (1, 2))
    np.testing.assert_allclose(first, second, atol=1e-5)


def test_equal_ratings_have_one_direction(ratings):
    scores = PureSVD(factors=2).fit(ratings(np.full((5, 4), 3.0)), seed=1).score(np.arange(5))
    np.testing.assert_allclose(scores, 3.0, rtol=1e-5)


def test_as_many_factors_as_items_are_refused(ratings):
    with pytest.raises(NotApplicableError, match=r"3 factors of 4 users with ratings × 3 rated items.*fewer than 3"):
        PureSVD(factors=3).fit(ratings([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]]), seed=1)
