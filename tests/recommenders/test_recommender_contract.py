"""What every recommender and fallback of the catalogue promises."""

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
NOT_PERSONAL = {"Random", "Popularity", "AverageRating"}


def _all_scores(model, train):
    tiles = [np.arange(start, start + TILE) % train.n_users for start in range(0, train.n_users, TILE)]
    return np.concatenate(list(threads.run_all(model.score, tiles)))[: train.n_users]


@pytest.fixture(params=NAMES)
def recommender(request):
    return catalogue.make("recommender", request.param)


def test_the_catalogue_holds_what_the_room_declares():
    assert {"Random", "Popularity", "AverageRating", "UserKNN", "ItemKNN", "EASE", "WRMF"} <= set(NAMES)
    assert {cls.key for cls in catalogue.classes("fallback")} >= {"none", "random", "popularity", "average_rating"}


def test_scores_are_float32_of_users_by_items_without_infinities(recommender, some_ratings):
    model = recommender.fit(some_ratings, seed=1)
    with threads.single_blas():
        scores = model.score(np.arange(TILE))
    assert scores.dtype == np.float32
    assert scores.shape == (TILE, some_ratings.n_items)
    assert not np.isinf(scores).any()
    assert np.isfinite(scores).any()


def test_same_bytes_on_one_and_two_threads(recommender, some_ratings):
    found = []
    for n in (1, 2):
        with threads.using(n):
            found.append(_all_scores(recommender.fit(some_ratings, seed=1), some_ratings).tobytes())
    assert found[0] == found[1]


def test_same_bytes_at_any_place_of_a_tile(recommender, some_ratings):
    model = recommender.fit(some_ratings, seed=1)
    in_order = np.arange(TILE)
    shuffled = np.random.default_rng(2).permutation(some_ratings.n_users)[:TILE]
    with threads.single_blas():
        straight, mixed = model.score(in_order), model.score(shuffled)
        repeated = model.score(np.full(TILE, 11))
    for place, user in enumerate(shuffled):
        if user < TILE:
            assert mixed[place].tobytes() == straight[user].tobytes()
    assert all(row.tobytes() == straight[11].tobytes() for row in repeated)


def test_a_new_array_each_time(recommender, some_ratings):
    model = recommender.fit(some_ratings, seed=1)
    first = model.score(np.arange(TILE))
    expected = first.copy()
    first[:] = -1
    np.testing.assert_array_equal(model.score(np.arange(TILE)), expected)


def test_the_seed_fixes_the_result(recommender, some_ratings):
    first, second = (_all_scores(recommender.fit(some_ratings, seed=3), some_ratings) for _ in range(2))
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("name", ["Random", "WRMF", "BPRMF", "SVD", "PLSA", "LDA"])
def test_another_seed_gives_another_result(name, some_ratings):
    recommender = catalogue.make("recommender", name)
    first, second = (_all_scores(recommender.fit(some_ratings, seed=s), some_ratings) for s in (1, 2))
    assert not np.array_equal(first, second, equal_nan=True)


def test_a_user_without_training_ratings_has_no_silent_zeros(recommender, some_ratings):
    row = _all_scores(recommender.fit(some_ratings, seed=1), some_ratings)[7]
    if recommender.key in NOT_PERSONAL:
        assert np.isfinite(row[:3]).all()
    else:
        assert np.isnan(row).all()


def test_training_ratings_are_not_changed(recommender, some_ratings):
    before = (some_ratings.user.copy(), some_ratings.item.copy(), some_ratings.value.copy())
    recommender.fit(some_ratings, seed=1).score(np.arange(TILE))
    for column, kept in zip((some_ratings.user, some_ratings.item, some_ratings.value), before, strict=True):
        np.testing.assert_array_equal(column, kept)


def test_no_training_ratings_at_all(recommender, ratings):
    scores = recommender.fit(ratings(np.zeros((3, 2))), seed=1).score(np.zeros(TILE, dtype=np.int64))
    assert scores.shape == (TILE, 2)
    if recommender.key not in NOT_PERSONAL:
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


def test_text_form_reads_back(recommender):
    assert catalogue.make("recommender", recommender.full_text) == recommender
