"""Models from outside the catalogue."""

from __future__ import annotations

from threading import Lock

import numpy as np
import pytest

import heldout as ho
from heldout import as_recommender, catalogue
from heldout.errors import InputError, NotApplicableError, SpecError

CELLS = [[5, 3, 0], [4, 0, 0]]


class Counter:
    """Scores items by their count, plus a state that shows whether fits share it."""

    def __init__(self):
        self.fits = 0

    def fit(self, train):
        self.fits += 1
        self.counts = train.item_counts
        return self

    def score(self, users):
        return np.tile(self.counts + 10 * self.fits, (len(users), 1))


@pytest.mark.parametrize("model", [Counter(), Counter])
def test_objects_and_classes(model, ratings):
    recommender = as_recommender("counter", model)
    for _ in range(2):
        scores = recommender.fit(ratings(CELLS), seed=1).score(np.array([0, 1]))
        np.testing.assert_array_equal(scores, [[12, 11, 10]] * 2)


def test_functions(ratings):
    recommender = as_recommender("by item", lambda train, users: users[:, None] + np.arange(train.n_items) / 2.0)
    np.testing.assert_array_equal(recommender.fit(ratings(CELLS), seed=1).score(np.array([1])), [[1, 1.5, 2]])


def test_a_seed_is_given_to_those_who_take_one_and_the_fitted_model_is_asked(ratings):
    class Seeded:
        def fit(self, train, seed):
            return Fitted(seed, train.n_items)

    class Fitted:
        def __init__(self, seed, n):
            self.seed, self.n = seed, n

        def score(self, users):
            return np.full((len(users), self.n), self.seed, dtype=np.float64)

    assert as_recommender("seeded", Seeded()).fit(ratings(CELLS), seed=42).score(np.array([0]))[0, 0] == 42


def test_it_is_a_recommender_by_name_and_version():
    recommender = as_recommender("mine", Counter, version="2", predicts_ratings=True)
    assert catalogue.make("recommender", recommender) is recommender
    assert str(recommender) == "mine"
    assert recommender.full_text == 'foreign(name=mine, version="2")'
    assert recommender.predicts_ratings


@pytest.mark.parametrize(
    ("found", "message"),
    [
        (np.zeros((1, 3)), r"mine returned ndarray of float64 and shape \(1, 3\) for 2 users.*\(2, 3\)"),
        (np.zeros((2, 3), dtype=object), "of object"),
        (np.array([[0, np.inf, 0], [0, 0, 0]]), "mine scored inf for user 1 and item 1"),
    ],
)
def test_what_is_not_scores_is_refused(found, message, ratings):
    model = as_recommender("mine", lambda train, users: found).fit(ratings(CELLS), seed=1)
    with pytest.raises(InputError, match=message):
        model.score(np.array([1, 0]))


@pytest.mark.parametrize(
    "scores", [np.array([2**60 + 2, 2**60, 2**60 + 1]), np.array([2**64 - 1, 2**64 - 3, 2**64 - 2], np.uint64)]
)
def test_whole_numbers_that_float64_cannot_tell_apart_keep_their_order(scores, ratings):
    model = as_recommender("mine", lambda train, users: np.tile(scores, (len(users), 1))).fit(ratings(CELLS), seed=1)
    np.testing.assert_array_equal(model.score(np.array([1, 0])), [[2, 0, 1]] * 2)
    exact = as_recommender("mine", lambda train, users: np.tile(scores // 2**20, (len(users), 1)))
    np.testing.assert_array_equal(exact.fit(ratings(CELLS), seed=1).score(np.array([1])), [scores // 2**20])


def test_places_are_no_ratings(ratings):
    huge = as_recommender("mine", lambda train, users: np.tile(2**60 + np.arange(3), (len(users), 1)), predicts_ratings=True)
    with pytest.raises(
        InputError, match="the model mine gives scores of int64 up to 1152921504606846978, some of which are"
    ):
        huge.fit(ratings(CELLS), seed=1).score(np.array([1]))


def test_scores_keep_their_precision(ratings):
    scores = np.array([[1.7e9, 1.7e9 + 1, np.nan], [1e-320, 2e-320, 1e300]])
    model = as_recommender("mine", lambda train, users: scores[users]).fit(ratings(CELLS), seed=1)
    np.testing.assert_array_equal(model.score(np.array([0, 1])), scores)


def test_what_is_not_a_model_is_refused(ratings):
    with pytest.raises(SpecError, match="no `fit`"):
        as_recommender("mine", 3)
    with pytest.raises(SpecError, match="cannot be named"):
        as_recommender(" ", Counter)
    with pytest.raises(SpecError, match="neither"):
        as_recommender("mine", type("Mute", (), {"fit": lambda self, train: None})).fit(ratings(CELLS), seed=1)


def test_a_model_that_cannot_be_copied_says_what_to_do(ratings):
    model = Counter()
    model.lock = Lock()
    with pytest.raises(NotApplicableError, match="give its class"):
        as_recommender("locked", model).fit(ratings(CELLS), seed=1)


def test_users_that_are_looked_up_by_their_ids_are_told_of_codes(ratings):
    class ById:
        def fit(self, train):
            self.scores = {f"user {code}": np.ones(train.n_items) for code in range(train.n_users)}

        def score(self, users):
            return np.stack([self.scores[user] for user in users])

    model = as_recommender("mine", ById()).fit(ratings(CELLS), seed=1)
    with pytest.raises(InputError, match=r"the model mine raised KeyError: .*; `users` are codes from 0 on, 64 at a time"):
        model.score(np.zeros(64, np.int32))


def test_a_model_is_asked_for_64_users_however_few_there_are(ratings):
    """As its page says: products of one shape give the same bytes for any number of users."""
    tiles = []

    def scores(train, users):
        tiles.append(users.tolist())
        return np.zeros((len(users), train.n_items))

    ho.fit(scores, ratings(CELLS)).recommend(n=1)
    assert tiles == [[0] + [1] * 63]


def test_another_number_of_rows_says_how_many_users_are_asked_for(ratings):
    model = as_recommender("mine", lambda train, users: np.zeros((2, 3))).fit(ratings(CELLS), seed=1)
    with pytest.raises(InputError, match="asked for 64 users at a time, the last one repeated"):
        model.score(np.zeros(64, np.int32))
