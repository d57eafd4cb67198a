"""The best items of every user as a run."""

from __future__ import annotations

import inspect

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.cli.recommend import recommend as command
from heldout.data.runs import write_run
from heldout.errors import InputError, NotApplicableError, SpecError
from heldout.experiment.recommend import LENGTH
from heldout.experiment.recommend import recommend as study_recommend
from heldout.tables import Interactions, Vocabulary

# Popularity: a 3, b 2, c 1; user 3 rated all, user 4 only c.
ROWS = pl.DataFrame(
    {
        "user": [1, 1, 2, 3, 3, 3, 4],
        "item": ["a", "b", "a", "a", "b", "c", "c"],
        "rating": [5, 4, 3, 1, 2, 3, 4],
    }
)


def test_by_hand():
    found = ho.recommend("Popularity", ROWS, n=2)
    assert found.rows() == [(1, "c", 1, 2.0), (2, "b", 1, 2.0), (2, "c", 2, 2.0), (4, "a", 1, 3.0), (4, "b", 2, 2.0)]


def test_of_equal_scores_the_lower_id_comes_first_and_lists_are_cut():
    found = ho.recommend(lambda train, users: np.zeros((len(users), train.n_items)), ROWS, n=1)
    assert found.select("user_id", "item_id").rows() == [(1, "c"), (2, "b"), (4, "a")]


def test_against_a_plain_sort():
    draw = np.random.default_rng(4)
    cells = draw.integers(1, 6, (150, 70)) * (draw.random((150, 70)) < 0.2)
    user, item = np.nonzero(cells)
    train = Interactions.build(
        Vocabulary.numbered(150), Vocabulary.numbered(70), user, item, cells[user, item].astype(np.float64)
    )
    scores = draw.integers(0, 12, (150, 70)).astype(np.float32)
    scores[draw.random((150, 70)) < 0.1] = np.nan
    found = ho.recommend(lambda train, users: scores[users], train, n=9)
    for u in range(150):
        left = [i for i in range(70) if cells[u, i] == 0 and not np.isnan(scores[u, i])]
        best = sorted(left, key=lambda i: (-scores[u, i], i))[:9]
        own = found.filter(pl.col("user_id") == u)
        assert own["item_id"].to_list() == best
        assert own["score"].to_list() == scores[u, best].tolist()
        assert own["rank"].to_list() == list(range(1, len(best) + 1))


@pytest.mark.parametrize("scores", [1.7e9 + np.arange(3), 1e-320 * np.arange(1, 4), 2**60 + np.arange(3)])
@pytest.mark.parametrize("ending", ["csv", "txt", "parquet"])
def test_near_scores_keep_their_order_also_when_written_and_read_again(scores, ending, tmp_path):
    found = ho.recommend(lambda train, users: np.tile(scores, (len(users), 1)), ROWS, n=2)
    assert found["item_id"].to_list() == ["c", "c", "b", "b", "a"]
    train = ROWS.with_columns(pl.col("item").replace({"a": "c", "c": "a"}))  # so that ties would not be in order by chance
    run = study_recommend(lambda train, users: np.tile(scores, (len(users), 1)), train)
    write_run(run, tmp_path / f"run.{ending}")
    again = ho.recommend(f'External("{tmp_path}/run.{ending}")', train)
    assert again["item_id"].to_list() == run.item_id.to_list()


def test_same_lists_on_one_and_two_threads():
    draw = np.random.default_rng(4)
    cells = draw.integers(1, 6, (150, 70)) * (draw.random((150, 70)) < 0.2)
    user, item = np.nonzero(cells)
    data = pl.DataFrame({"user": user, "item": item, "rating": cells[user, item]})
    one, two = (ho.recommend("WRMF(factors=4, iterations=2)", data, n=5, threads=n) for n in (1, 2))
    assert one.equals(two)


def test_a_split_keeps_its_test_ratings_out():
    train_only = ho.recommend("Popularity", ROWS, n=3, split="ratio(train=0.5, by=user)")
    assert len(train_only) > len(ho.recommend("Popularity", ROWS, n=3))
    with refused(NotApplicableError, where="fold", hint="name one from 1 to 2"):
        ho.recommend("Popularity", ROWS, split="folds(2)")
    assert len(ho.recommend("Popularity", ROWS, split="folds(2)", fold=2))
    with refused(SpecError, where="fold", found=3, expected="1 to 2"):
        ho.recommend("Popularity", ROWS, split="folds(2)", fold=3)


def test_a_run_written_and_taken_as_a_recommender_gives_the_same_lists(tmp_path):
    first = ho.recommend("Popularity", ROWS, n=2, out=tmp_path / "run.parquet")
    second = ho.recommend(f'External("{tmp_path / "run.parquet"}")', ROWS, n=2)
    assert first.equals(second)


def test_nothing_to_recommend_is_an_error():
    with refused(InputError, where="Popularity", hint="give more ratings, or another model"):
        ho.recommend("Popularity", ROWS.filter(pl.col("user") == 3))
    with refused(SpecError, where="n", found=0, expected="at least 1 item"):
        ho.recommend("Popularity", ROWS, n=0)


def test_a_fitted_model_says_what_to_write_for_other_libraries_methods():
    model = ho.fit("Popularity", ROWS)
    for name in ("score", "predict", "predict_proba"):
        with pytest.raises(AttributeError) as refusal:
            getattr(model, name)
        assert refusal.value.name == name and "model.recommend(users, n)" in str(refusal.value)
    with pytest.raises(AttributeError) as refusal:
        _ = model.nonsense
    assert "recommend" not in str(refusal.value)
    assert model.model.score(np.arange(2)).shape == (2, 3)  # as the hint says


def test_lists_have_one_default_length():
    """Of the verb, of a fitted model and of the command."""
    assert LENGTH == 100
    for verb in (ho.recommend, ho.FittedModel.recommend, ho.FittedModel.run):
        assert inspect.signature(verb).parameters["n"].default == LENGTH
    assert inspect.signature(command).parameters["top"].default == LENGTH
