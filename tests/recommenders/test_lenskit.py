"""Pipelines and scorers of LensKit take part as they are."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from heldout import as_recommender
from heldout.errors import MissingExtraError
from heldout.recommenders.adapters.lenskit import FromLensKit


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
