"""Models from outside: objects, functions, files, implicit and LensKit."""

from __future__ import annotations

import sys
from threading import Lock
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout import as_recommender, catalogue
from heldout.errors import InputError, MissingExtraError, NotApplicableError, SpecError
from heldout.recommenders import External
from heldout.recommenders.adapters.lenskit import FromLensKit

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
    ("returned", "parts"),
    [
        (np.zeros((1, 3)), {"found": "ndarray of float64 and shape (1, 3)", "expected": "numbers of shape (2, 3)"}),
        (np.zeros((2, 3), dtype=object), {"found": "ndarray of object and shape (2, 3)"}),
        (np.array([[0, np.inf, 0], [0, 0, 0]]), {"found": np.inf, "hint": "use NaN"}),
    ],
)
def test_what_is_not_scores_is_refused(returned, parts, ratings):
    model = as_recommender("mine", lambda train, users: returned).fit(ratings(CELLS), seed=1)
    with refused(InputError, file="mine", **parts):
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
    with refused(InputError, file="mine", found="int64 up to 1152921504606846978", hint="on a smaller scale"):
        huge.fit(ratings(CELLS), seed=1).score(np.array([1]))


def test_scores_keep_their_precision(ratings):
    scores = np.array([[1.7e9, 1.7e9 + 1, np.nan], [1e-320, 2e-320, 1e300]])
    model = as_recommender("mine", lambda train, users: scores[users]).fit(ratings(CELLS), seed=1)
    np.testing.assert_array_equal(model.score(np.array([0, 1])), scores)


def test_what_is_not_a_model_is_refused(ratings):
    with refused(SpecError, where="mine", found="int", expected="an object with fit(train)"):
        as_recommender("mine", 3)
    with refused(SpecError, where="name", found=" ", expected="printable characters"):
        as_recommender(" ", Counter)
    with refused(SpecError, where="mine", found="NoneType", expected="`score`, `predict` or `recommend`"):
        as_recommender("mine", type("Mute", (), {"fit": lambda self, train: None})).fit(ratings(CELLS), seed=1)


def test_a_model_that_cannot_be_copied_says_what_to_do(ratings):
    model = Counter()
    model.lock = Lock()
    with refused(NotApplicableError, where="locked", hint="give its class"):
        as_recommender("locked", model).fit(ratings(CELLS), seed=1)


def test_users_that_are_looked_up_by_their_ids_are_told_of_codes(ratings):
    class ById:
        def fit(self, train):
            self.scores = {f"user {code}": np.ones(train.n_items) for code in range(train.n_users)}

        def score(self, users):
            return np.stack([self.scores[user] for user in users])

    model = as_recommender("mine", ById()).fit(ratings(CELLS), seed=1)
    with refused(InputError, file="mine", hint="`users` are codes from 0 on, 64 at a time"):
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
    with refused(InputError, file="mine", hint="asked for 64 users at a time, the last one repeated"):
        model.score(np.zeros(64, np.int32))


RATINGS = ho.read("simulate(users=70, items=30, ratings=700)")


class _Fitted:
    """Scores that fall with the distance of codes; no two of a user are equal."""

    def fit(self, train: ho.Interactions) -> None:
        self.n_items = train.n_items

    def table(self, users: Any) -> Any:
        return -np.abs(np.asarray(users)[:, None] % self.n_items - np.arange(self.n_items)) + np.arange(self.n_items) / 100


class Scores(_Fitted):
    def score(self, users: Any) -> Any:
        return self.table(users)


class Predicts(_Fitted):
    def predict(self, users: Any) -> Any:
        return self.table(users)


class PredictsPairs(_Fitted):
    def predict(self, users: Any, items: Any) -> Any:
        return self.table(users)[np.arange(len(users)), items]


class Recommends(_Fitted):
    def recommend(self, users: Any, n: int) -> Any:
        return np.argsort(-self.table(users), axis=1)[:, :n]


class RecommendsWithScores(_Fitted):
    def recommend(self, users: Any, n: int = 10) -> Any:
        items = np.argsort(-self.table(users), axis=1)[:, :n]
        return items, np.take_along_axis(self.table(users), items, axis=1)


class RecommendsByUser(Recommends):
    def recommend(self, users: Any, n: int) -> Any:
        return dict(zip(users.tolist(), super().recommend(users, n).tolist(), strict=True))


class RecommendsScoresByUser(RecommendsWithScores):
    def recommend(self, users: Any, n: int = 10) -> Any:
        items, scores = super().recommend(users, n)
        return {user: dict(zip(items[k].tolist(), scores[k], strict=True)) for k, user in enumerate(users)}


METHODS = [Predicts, PredictsPairs, Recommends, RecommendsWithScores, RecommendsByUser, RecommendsScoresByUser]


@pytest.mark.parametrize("model", METHODS)
def test_every_method_gives_the_same_lists(model: type) -> None:
    expected = ho.fit(Scores(), RATINGS).recommend(n=5).drop("score")
    assert ho.fit(model(), RATINGS).recommend(n=5).drop("score").equals(expected)
    assert ho.fit(model, RATINGS).name == model.__name__


def test_what_is_not_listed_cannot_be_scored() -> None:
    class Short(_Fitted):
        def recommend(self, users: Any, n: int) -> Any:
            return [[0, 1, -1] if user % 2 else [] for user in users]

    lists = ho.fit(Short(), RATINGS).recommend(n=9)
    assert set(lists["item_id"]) <= set(RATINGS.items.ids[:2]) and lists["user_id"].n_unique() <= 35


def _recommending(returned: Any) -> Any:
    class Model(_Fitted):
        def recommend(self, users: Any, n: int) -> Any:
            return returned(users)

    return Model()


def _predicting(returned: Any) -> Any:
    class Model(_Fitted):
        def predict(self, users: Any, items: Any) -> Any:
            return returned(users)

    return Model()


@pytest.mark.parametrize(
    ("model", "found", "expected"),
    [
        (_recommending(lambda users: [[0]]), 1, "a list for each of 64 users"),
        (_recommending(lambda users: ([[0]] * len(users), [[1]])), 1, "a list for each of 64 users"),
        (_recommending(lambda users: [["a"]] * len(users)), "<U1 of shape (1,)", "whole numbers from 0"),
        (_recommending(lambda users: [[0.5]] * len(users)), "float64 of shape (1,)", "whole numbers from 0"),
        (_recommending(lambda users: [[30]] * len(users)), 30, "item codes below 30"),
        (_recommending(lambda users: [[2, 3, 3]] * len(users)), 3, None),
        (_recommending(lambda users: ([[1, 2]] * len(users), [[0.5]] * len(users))), 1, "2 scores"),
        (_recommending(lambda users: ([[1]] * len(users), [[np.inf]] * len(users))), np.inf, None),
        (_recommending(lambda users: pl.DataFrame({"user_id": users, "item_id": 0})), "DataFrame", "a list of item codes"),
        (_predicting(lambda users: np.ones(3)), (3,), "predictions of 1920 pairs"),
    ],
)
def test_what_a_model_gets_wrong_is_an_error(model: Any, found: Any, expected: str | None) -> None:
    with refused(ho.InputError, file="Model", found=found, expected=expected):
        ho.fit(model, RATINGS).recommend()


def test_what_is_not_a_model_is_no_model() -> None:
    with refused(ho.SpecError, where="_Fitted", expected="`score`, `predict` or `recommend`"):
        ho.fit(_Fitted(), RATINGS)
    with refused(ho.SpecError, where="object", found="object", expected="an object with fit(train)"):
        ho.fit(object(), RATINGS)


def test_such_models_join_a_study() -> None:
    study = {"data": RATINGS, "split": "ratio", "recommend": "Popularity", "metrics": "P@5", "relevance": "threshold(4)"}
    results = ho.run(study, models={"BPR": Recommends(), "scores": Scores()})
    board = dict(results.tables["all-leaderboards"].frame.select("system", "value").iter_rows())
    assert board["BPR"] == board["scores"]


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
    with refused(InputError, file=run, found=["user u9", "item i1"], expected="users and items of the data"):
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


def test_lenskit_takes_part_as_it_is(some_ratings):
    knn = pytest.importorskip("lenskit.knn", reason="LensKit is not installed")
    scores = as_recommender("items", knn.ItemKNNScorer(max_nbrs=5)).fit(some_ratings, seed=1).score(np.arange(64))
    assert np.isnan(scores[7]).all()
    assert np.isnan(scores[:, [3, 39]]).all()
    assert np.isfinite(scores[0]).sum() > 10


def test_lenskit_missing_says_which_extra(monkeypatch, some_ratings):
    monkeypatch.setitem(sys.modules, "lenskit.data", None)
    monkeypatch.setitem(sys.modules, "lenskit", None)
    with refused(MissingExtraError, hint="heldout[models]"):
        FromLensKit(object()).fit(some_ratings, seed=1)
