"""Models and lists from elsewhere."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from heldout.errors import InputError, MissingExtraError
from heldout.recommenders.adapters.external import External
from heldout.recommenders.adapters.lenskit import FromLensKit
from heldout.recommenders.foreign import as_recommender

CELLS = [[5, 3, 0], [4, 0, 0]]


def test_external_scores_what_the_run_holds(tmp_path, ratings):
    run = tmp_path / "run.csv"
    run.write_text("user,item,score\n0,2,0.7\n0,1,0.9\n1,9,3\n8,1,1\n")
    scores = External(str(run)).fit(ratings(CELLS), seed=1).score(np.array([1, 0, 0]))
    np.testing.assert_array_equal(scores, [[np.nan] * 3, [np.nan, 0.9, 0.7], [np.nan, 0.9, 0.7]])


def test_external_knows_its_file(tmp_path):
    run = tmp_path / "run.csv"
    run.write_text("user,item,score\n0,2,0.7\n")
    first = External(str(run)).source_digest()
    run.write_text("user,item,score\n0,2,0.8\n")
    assert External(str(run)).source_digest() != first


def test_a_run_of_strangers_is_refused(tmp_path, ratings):
    run = tmp_path / "run.csv"
    run.write_text("user,item,score\nu9,i1,0.7\n")
    with pytest.raises(InputError, match=r"none of its 1 pairs.*user u9, item i1"):
        External(str(run)).fit(ratings(CELLS), seed=1)


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
    from heldout.recommenders.matrix import csr

    model.random_state = 1
    model.fit(csr(some_ratings).astype(np.float32), show_progress=False)
    known = [i for i in range(40) if i not in (3, 39)]
    np.testing.assert_allclose(scores[0, known], (model.user_factors[0] @ model.item_factors.T)[known], atol=1e-5)


@pytest.mark.filterwarnings("ignore:OpenBLAS is configured", "ignore:Method expects CSR input")
def test_a_neighbourhood_of_implicit_leaves_out_what_it_does_not_score(some_ratings):
    nearest = pytest.importorskip("implicit.nearest_neighbours")
    scores = as_recommender("items", nearest.CosineRecommender(K=3)).fit(some_ratings, seed=1).score(np.arange(64))
    assert 0 < np.isnan(scores[0]).sum() < 40
    assert not (scores == 0).any()


def test_lenskit_takes_part_as_it_is(some_ratings):
    knn = pytest.importorskip("lenskit.knn", reason="LensKit is not installed")
    scores = as_recommender("items", knn.ItemKNNScorer(max_nbrs=5)).fit(some_ratings, seed=1).score(np.arange(64))
    assert np.isnan(scores[7]).all()
    assert np.isnan(scores[:, [3, 39]]).all()
    assert np.isfinite(scores[0]).sum() > 10


def test_lenskit_missing_says_which_extra(monkeypatch, some_ratings):
    monkeypatch.setitem(sys.modules, "lenskit.data", None)
    monkeypatch.setitem(sys.modules, "lenskit", None)
    with pytest.raises(MissingExtraError, match=r"heldout\[models\]"):
        FromLensKit(object()).fit(some_ratings, seed=1)
