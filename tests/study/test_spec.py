"""From the keys of a study file to a study: options, chains, defaults, tables and paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import heldout as ho
from heldout import Study, as_recommender
from heldout.errors import SpecError
from heldout.study.file import study_from
from heldout.study.protocol import chain_text
from heldout.study.record import study_record
from heldout.study.stages import DEFAULTS

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def study(**keys: Any) -> Study:
    return study_from({**LEAST, **keys})


def texts(options: Any) -> list[str]:
    return [str(option) for option in options]


def test_what_is_not_said_has_a_default() -> None:
    made = study()
    assert texts(made.data) == ["simulate"]
    assert texts(made.metrics) == DEFAULTS["metrics"]
    assert (made.filters, [chain_text(c) for c in made.users]) == (((),), ["with_test"])
    assert texts(made.fallback) == texts(made.fallback) == ["none"]
    assert (texts(made.target), texts(made.unrated), texts(made.ties)) == (["AllItems"], ["zero"], ["item"])
    assert (texts(made.aggregate), texts(made.undefined), texts(made.coverage)) == (["mean"], ["zero"], ["zero"])
    assert (texts(made.compare.tests), str(made.compare.correction), made.compare.level) == (
        ["t", "permutation"],
        "holm",
        0.05,
    )
    assert (made.seed, made.task, made.compare.baseline) == (1, "some_good_items", None)


def test_a_list_is_options_and_each_counts_once() -> None:
    made = study(metrics=["P@[5, 10]", "nDCG@5", "p@10"], target=["TestItems", "AllItems"], split=["ratio", "folds(2)"])
    assert texts(made.metrics) == ["P@5", "P@10", "nDCG@5"]
    assert texts(made.target) == ["TestItems", "AllItems"]
    assert texts(made.split) == ["ratio(train=0.8)", "folds(n=2)"]
    assert texts(study(data=["simulate", "simulate(seed=2)", "simulate"]).data) == ["simulate", "simulate(seed=2)"]


def test_an_inner_list_is_a_chain() -> None:
    made = study(filters=[[], "core(2)", ["positive(4)", "core(2)"]], users=[["with_train", "with_relevant"], "all"])
    assert [chain_text(c) for c in made.filters] == ["none", "core(k=2)", "positive(threshold=4) + core(k=2)"]
    assert [chain_text(c) for c in made.users] == ["with_train + with_relevant", "all"]
    assert [chain_text(c) for c in study(filters=["core(2)", "core(3)"]).filters] == ["core(k=2)", "core(k=3)"]
    assert study(filters=[]).filters == ((),)


def test_a_table_names_a_system() -> None:
    made = study(recommend=["Popularity", {"name": "small", "model": "UserKNN(k=3)"}, {"model": "Random"}])
    assert [(s.name, str(s.recommender)) for s in made.recommend] == [
        ("Popularity", "Popularity"),
        ("small", "UserKNN(k=3)"),
        ("Random", "Random"),
    ]
    assert study_record(made)["recommend"][1] == {"name": "small", "model": made.recommend[1].recommender.full_text}


def test_components_and_classes_do_as_well_as_texts() -> None:
    made = study(
        metrics=[ho.metrics.P(n=5), "nDCG@5"],
        target=ho.targets.TestItems,
        split=ho.splits.Ratio(0.5),
        recommend=[ho.recommenders.Popularity()],
    )
    assert made == study(metrics=["P@5", "nDCG@5"], target="TestItems", split="ratio(0.5)", recommend=["Popularity"])


def test_models_of_ones_own() -> None:
    def constant(train: ho.Interactions, users: Any) -> Any:
        return np.ones((len(users), train.n_items))

    made = study_from(
        LEAST,
        models={
            "mine": constant,
            "known": as_recommender("known", constant, version="2"),
            "p": ho.recommenders.Popularity(),
        },
    )
    assert [s.name for s in made.recommend] == ["Popularity", "mine", "known", "p"]
    assert "version" in made.recommend[2].recommender.full_text
    assert '"2"' in made.recommend[2].recommender.full_text  # a version given is not lost: stored parts are told apart by it
    assert made.recommend[3].recommender == ho.recommenders.Popularity()
    with pytest.raises(SpecError, match="recommend: mine is int, which has no `fit` and cannot be called"):
        study_from(LEAST, models={"mine": 5})
    without = {k: v for k, v in LEAST.items() if k != "recommend"}
    assert [s.name for s in study_from(without, models={"mine": constant}).recommend] == ["mine"]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"sead": 1}, "unknown key 'sead'; did you mean seed"),
        ({"metrics": "Coverage@5"}, "metrics: Coverage@5 only describes lists"),
        ({"compare": {"baseline": "Random"}}, "compare: unknown baseline 'Random'; known: Popularity"),
        ({"metrics": ho.recommenders.Popularity()}, "metrics: 'Popularity' is a recommender, not a metric"),
        ({"metrics": [None]}, "metrics: expected a text or a table, found None"),
        ({"seed": True}, "seed: the seed must be a whole number, found True"),
        ({"data": object()}, "data: expected a text"),
    ],
)
def test_what_is_refused(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        study(**keys)


def test_options_that_are_missing_are_asked_for() -> None:
    for key in ("data", "split", "recommend"):
        with pytest.raises(SpecError, match=f"^{key}: "):
            study_from({k: v for k, v in LEAST.items() if k != key})


@pytest.mark.parametrize(
    ("written", "chains"),
    [
        (["with_train"], ["with_test + with_train"]),
        (
            [["with_train(2)", "with_relevant"]],
            ["with_train(min=2) + with_relevant"],
        ),
        ([["with_train", "all"], "all"], ["with_train + all", "all"]),
        (["with_test", "with_test(3)"], ["with_test", "with_test(min=3)"]),
        ([[], "with_test"], ["with_test"]),
    ],
)
def test_users_without_test_ratings_are_left_out_unless_all_is_written(written: Any, chains: list[str]) -> None:
    assert [chain_text(chain) for chain in study(users=written).users] == chains


def test_with_train_alone_averages_no_user_without_test_ratings() -> None:
    """Cut in time, most users have no test rating: they were averaged as 0 when `with_train` replaced the default."""
    study = {"data": "simulate(users=90, items=40, ratings=700)", "split": "temporal(share=0.1)", "recommend": "Popularity"}
    narrow = ho.run({**study, "users": "with_train", "metrics": "P@5"}).facts.leaderboard[0]
    both = ho.run({**study, "users": [["with_test", "with_train"]], "metrics": "P@5"}).facts.leaderboard[0]
    everyone = ho.run({**study, "users": [["with_train", "all"]], "metrics": "P@5"}).facts.leaderboard[0]
    assert (narrow.users, narrow.value) == (both.users, both.value)
    assert everyone.users > narrow.users
