"""Models from outside the catalogue."""

from __future__ import annotations

from threading import Lock

import numpy as np
import pytest

from heldout import catalogue
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.recommend.foreign import as_recommender

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
        assert scores.dtype == np.float32


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
        (np.full((2, 3), 1e300), "infinite in single precision"),
    ],
)
def test_what_is_not_scores_is_refused(found, message, ratings):
    model = as_recommender("mine", lambda train, users: found).fit(ratings(CELLS), seed=1)
    with pytest.raises(InputError, match=message):
        model.score(np.array([1, 0]))


def test_what_is_not_a_model_is_refused(ratings):
    with pytest.raises(SpecError, match="no `fit`"):
        as_recommender("mine", 3)
    with pytest.raises(SpecError, match="'userknn' is a recommender of the catalogue"):
        as_recommender("userknn", Counter)
    with pytest.raises(SpecError, match="cannot be named"):
        as_recommender(" ", Counter)
    with pytest.raises(SpecError, match="neither"):
        as_recommender("mine", type("Mute", (), {"fit": lambda self, train: None})).fit(ratings(CELLS), seed=1)


def test_a_model_that_cannot_be_copied_says_what_to_do(ratings):
    model = Counter()
    model.lock = Lock()
    with pytest.raises(NotApplicableError, match="give its class"):
        as_recommender("locked", model).fit(ratings(CELLS), seed=1)
