"""Models of implicit take part as they are."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import as_recommender


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured")
def test_a_model_of_implicit_takes_part_as_it_is(some_ratings):
    als = pytest.importorskip("implicit.als")
    model = als.AlternatingLeastSquares(factors=6, iterations=4, num_threads=1, random_state=9)
    fitted = as_recommender("ALS", model).fit(some_ratings, seed=1)
    scores = fitted.score(np.arange(64))
    unscored = np.isnan(scores)
    assert unscored[7].all()
    assert unscored[:, [3, 39]].all()
    assert unscored.sum() == 40 + 2 * 63
    # What it says is the product of its own factors, item by item.

    model.random_state = 1
    model.fit(some_ratings.to_csr().astype(np.float32), show_progress=False)
    known = [i for i in range(40) if i not in (3, 39)]
    np.testing.assert_allclose(scores[0, known], (model.user_factors[0] @ model.item_factors.T)[known], atol=1e-5)


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured", "ignore:Method expects CSR input")
def test_a_neighbourhood_of_implicit_leaves_out_what_it_does_not_score(some_ratings):
    nearest = pytest.importorskip("implicit.nearest_neighbours")
    scores = as_recommender("items", nearest.CosineRecommender(K=3)).fit(some_ratings, seed=1).score(np.arange(64))
    assert 0 < np.isnan(scores[0]).sum() < 40
    assert not (scores == 0).any()
