"""Lists of one's own models."""

from __future__ import annotations

import polars as pl
from tests.refusals import refused

import heldout as ho
from heldout.errors import InputError, SpecError, SystemsFailedError

# --- split

RATINGS = {"user": ["u"] * 5 + ["v"] * 5, "item": list("abcde") * 2, "rating": [1, 2, 3, 4, 5] * 2}


# --- fit


def test_lists_of_some_users_by_their_ids() -> None:
    model = ho.fit("Popularity", {"user": [1, 1, 2, 3], "item": list("abac"), "rating": [5, 4, 3, 2]})
    assert model.recommend(users=[3, 1], n=1).rows() == [(1, "c", 1, 1.0), (3, "a", 1, 2.0)]
    assert model.recommend(n=9).filter(pl.col("user_id") == 3)["item_id"].to_list() == ["a", "b"]
    with refused(InputError, found=7, hint="ids such as 1"):
        model.recommend(users=[7])
    with refused(SpecError, where="n", found=0, expected="at least 1 item"):
        model.recommend(n=0)


def test_the_same_lists_as_recommendations_give() -> None:
    ratings = ho.read("simulate(users=70, items=40, ratings=900)")
    one_way, other = ho.fit("UserKNN(k=5)", ratings).recommend(n=7), ho.recommend("UserKNN(k=5)", ratings, n=7)
    assert one_way.equals(other)


def test_a_recommender_in_three_spellings() -> None:
    ratings = ho.read("simulate(users=30, items=20, ratings=300)")
    popularity = ho.recommenders.Popularity
    frames = [ho.fit(recommender, ratings).recommend(n=3) for recommender in ("Popularity", popularity(), popularity)]
    assert frames[0].equals(frames[1]) and frames[0].equals(frames[2])


def test_a_failing_model_is_named() -> None:
    def broken(train: object, users: object) -> object:
        raise ValueError("out of cheese")

    with refused(SystemsFailedError, where="broken") as refusal:
        ho.fit(broken, RATINGS).recommend()
    assert refusal.value.reasons == {"broken": "score: ValueError: out of cheese"}
