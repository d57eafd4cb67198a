"""What recommenders of the house promise beyond the contract that all keep (tests/contracts)."""

from __future__ import annotations

import numpy as np
import pytest

from heldout import catalogue, threads
from heldout.errors import NotApplicableError
from heldout.recommenders.recommender import TILE

NAMES = [
    cls.key
    for cls in catalogue.classes("recommender")
    if all(p.default is not catalogue.REQUIRED for p in catalogue.parameters(cls))
]


def _all_scores(model, train):
    tiles = [np.arange(start, start + TILE) % train.n_users for start in range(0, train.n_users, TILE)]
    return np.concatenate(list(threads.run_all(model.score, tiles)))[: train.n_users]


@pytest.fixture(params=NAMES)
def recommender(request):
    return catalogue.make("recommender", request.param)


def test_scores_are_float32(recommender, some_ratings):
    model = recommender.fit(some_ratings, seed=1)
    with threads.single_blas():
        scores = model.score(np.arange(TILE))
    assert scores.dtype == np.float32


@pytest.mark.parametrize("name", ["Random", "WRMF", "BPRMF", "SVD", "PLSA", "LDA"])
def test_another_seed_gives_another_result(name, some_ratings):
    recommender = catalogue.make("recommender", name)
    first, second = (_all_scores(recommender.fit(some_ratings, seed=s), some_ratings) for s in (1, 2))
    assert not np.array_equal(first, second, equal_nan=True)


def test_a_user_without_training_ratings_has_no_silent_zeros(recommender, some_ratings):
    row = _all_scores(recommender.fit(some_ratings, seed=1), some_ratings)[7]
    if recommender.impersonal:
        assert np.isfinite(row[:3]).all()
    else:
        assert np.isnan(row).all()


def test_no_training_ratings_at_all(recommender, ratings):
    scores = recommender.fit(ratings(np.zeros((3, 2))), seed=1).score(np.zeros(TILE, dtype=np.int64))
    assert scores.shape == (TILE, 2)
    if not recommender.impersonal:
        assert np.isnan(scores).all()


def test_a_single_user_and_item(recommender, ratings):
    try:
        model = recommender.fit(ratings([[4.0]]), seed=1)
    except NotApplicableError as error:  # more factors or topics than items: said, and what to do
        assert error.hint
        return
    scores = model.score(np.zeros(TILE, dtype=np.int32))
    assert scores.shape == (TILE, 1)
    assert not np.isinf(scores).any()
