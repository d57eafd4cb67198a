"""A model of your own may have `score`, `predict` or `recommend`: the same lists come of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import heldout as ho

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
    ("model", "said"),
    [
        (_recommending(lambda users: [[0]]), "recommended 1 lists for 64 users"),
        (_recommending(lambda users: [["a"]] * len(users)), "return item codes"),
        (_recommending(lambda users: [[0.5]] * len(users)), "return item codes"),
        (_recommending(lambda users: [[30]] * len(users)), "and there are 30 items; return codes from 0"),
        (_recommending(lambda users: [[3, 3]] * len(users)), "recommended an item twice"),
        (_recommending(lambda users: ([[1, 2]] * len(users), [[0.5]] * len(users))), "2 items and 1 scores"),
        (_recommending(lambda users: ([[1]] * len(users), [[np.inf]] * len(users))), "which is infinite"),
        (
            _recommending(lambda users: pl.DataFrame({"user_id": users, "item_id": 0})),
            "recommended a DataFrame; return a list",
        ),
        (_predicting(lambda users: np.ones(3)), "for 1920 pairs"),
        (_Fitted(), "has `score`, `predict` or `recommend`"),
        (object(), "has no `fit`"),
    ],
)
def test_what_a_model_gets_wrong_is_said(model: Any, said: str) -> None:
    with pytest.raises(ho.HeldoutError) as error:
        ho.fit(model, RATINGS).recommend()
    assert said in str(error.value)


def test_such_models_join_a_study() -> None:
    study = {"data": RATINGS, "split": "ratio", "recommend": "Popularity", "metrics": "P@5", "relevance": "threshold(4)"}
    results = ho.run(study, models={"BPR": Recommends(), "scores": Scores()})
    board = dict(results.leaderboard.select("system", "value").iter_rows())
    assert board["BPR"] == board["scores"]
