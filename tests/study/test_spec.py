"""From the keys of a study file to a study: options, chains, defaults, tables and paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import heldout as ho
from heldout.data.memory import InMemory
from heldout.errors import SpecError, UnknownNameError
from heldout.experiment.run import run_study
from heldout.recommenders.foreign import as_recommender
from heldout.study.file import read_study, study_from
from heldout.study.protocol import chain_text
from heldout.study.record import study_record
from heldout.study.spec import Study
from heldout.study.stages import DEFAULTS

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def study(**keys: Any) -> Study:
    return study_from({**LEAST, **keys})


def texts(options: Any) -> list[str]:
    return [str(option) for option in options]


def test_what_is_not_said_has_a_default() -> None:
    made = study()
    assert texts(made.data) == ["simulate"]
    assert texts(made.measure) == DEFAULTS["measure"]
    assert (made.filter, [chain_text(c) for c in made.users]) == (((),), ["with_test"])
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
    made = study(measure=["P@[5, 10]", "nDCG@5", "p@10"], target=["TestItems", "AllItems"], split=["ratio", "folds(2)"])
    assert texts(made.measure) == ["P@5", "P@10", "nDCG@5"]
    assert texts(made.target) == ["TestItems", "AllItems"]
    assert texts(made.split) == ["ratio", "folds(n=2)"]
    assert texts(study(data=["simulate", "simulate(seed=2)", "simulate"]).data) == ["simulate", "simulate(seed=2)"]


def test_an_inner_list_is_a_chain() -> None:
    made = study(filter=[[], "core(2)", ["positive(4)", "core(2)"]], users=[["with_train", "with_relevant"], "all"])
    assert [chain_text(c) for c in made.filter] == ["none", "core(k=2)", "positive(threshold=4) + core(k=2)"]
    assert [chain_text(c) for c in made.users] == ["with_train + with_relevant", "all"]
    assert [chain_text(c) for c in study(filter=["core(2)", "core(3)"]).filter] == ["core(k=2)", "core(k=3)"]
    assert study(filter=[]).filter == ((),)


def test_a_table_names_a_system() -> None:
    made = study(recommend=["Popularity", {"name": "small", "model": "UserKNN(k=3)"}, {"model": "Random"}])
    assert [(s.name, str(s.recommender)) for s in made.recommend] == [
        ("Popularity", "Popularity"),
        ("small", "UserKNN(k=3)"),
        ("Random", "Random"),
    ]
    assert study_record(made)["recommend"][1] == {"name": "small", "model": made.recommend[1].recommender.full_text}


def test_a_table_says_how_to_compare() -> None:
    made = study(
        recommend=["Popularity", "Random"],
        compare={"tests": ["wilcoxon", "sign"], "correction": "bonferroni", "level": 0.01, "baseline": "Random"},
    ).compare
    assert (texts(made.tests), str(made.correction), made.level, made.baseline) == (
        ["wilcoxon", "sign"],
        "bonferroni",
        0.01,
        "Random",
    )


def test_components_and_classes_do_as_well_as_texts() -> None:
    made = study(measure=[ho.P(n=5), "nDCG@5"], target=ho.TestItems, split=ho.Ratio(0.5), recommend=[ho.Popularity()])
    assert made == study(measure=["P@5", "nDCG@5"], target="TestItems", split="ratio(0.5)", recommend=["Popularity"])


def test_judgements_are_distinct() -> None:
    made = study(target=["AllItems", "OnePlusRandom(5)"], relevance=["threshold(3)", "threshold(4)"])
    found = [(str(t), str(r)) for t, r, *_ in made.judgements()]
    one = str(make_one := made.target[1])
    assert found == [("AllItems", "threshold(tau=3)"), ("AllItems", "threshold(tau=4)"), (one, str(make_one.own_relevance))]


def test_models_of_ones_own() -> None:
    def constant(train: ho.Interactions, users: Any) -> Any:
        return np.ones((len(users), train.n_items))

    made = study_from(
        LEAST, models={"mine": constant, "known": as_recommender("known", constant, version="2"), "p": ho.Popularity()}
    )
    assert [s.name for s in made.recommend] == ["Popularity", "mine", "known", "p"]
    assert "version" in made.recommend[2].recommender.full_text
    assert '"2"' in made.recommend[2].recommender.full_text  # a version given is not lost: stored parts are told apart by it
    assert made.recommend[3].recommender == ho.Popularity()
    with pytest.raises(SpecError, match="recommend: mine is int, which has no `fit` and cannot be called"):
        study_from(LEAST, models={"mine": 5})
    without = {k: v for k, v in LEAST.items() if k != "recommend"}
    assert [s.name for s in study_from(without, models={"mine": constant}).recommend] == ["mine"]


def test_tables_in_memory_are_told_apart() -> None:
    one = pl.DataFrame({"user": [1, 1, 2], "item": [1, 2, 1], "rating": [5, 4, 3]})
    assert texts(study(data=one).data) == ["frame"]
    made = study(data=[one, "simulate", {"user": [1], "item": [2], "rating": [3.0]}])
    assert texts(made.data) == ["frame 1", "simulate", "frame 3"]
    arrays = (np.array([1, 2]), np.array([1, 1]), np.array([5.0, 4.0]))
    assert [isinstance(s, InMemory) for s in study(data=arrays).data] == [True]
    assert [isinstance(s, InMemory) for s in study(data=(ho.read(one), ho.read(one))).data] == [True, True]


def test_columns_of_a_frame_are_named_as_those_of_a_file() -> None:
    strange = {"who": [1, 1, 2], "what": [7, 8, 7], "stars": [5, 4, 3], "user": [9, 9, 9]}
    for frame in (pl.DataFrame(strange), strange):
        made = study(data={"path": frame, "user": "who", "item": "what", "value": "stars"})
        log = made.data[0].read()
        assert (log.user_id.to_list(), log.item_id.to_list(), log.value.tolist()) == ([1, 1, 2], [7, 8, 7], [5, 4, 3])
    with pytest.raises(SpecError, match="data: unknown parameter of a frame 'itm'; did you mean item"):
        study(data={"path": pl.DataFrame(strange), "user": "who", "itm": "what"})
    rated = ho.read(strange, user="who", item="what", value="stars")
    with pytest.raises(SpecError, match="these ratings have their columns, so user cannot be chosen"):
        study(data={"path": rated, "user": "who"})


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"sead": 1}, "unknown key 'sead'; did you mean seed"),
        ({"measure": "Coverage@5"}, "measure: Coverage@5 only describes lists"),
        ({"compare": {"baseline": "Random"}}, "compare: unknown baseline 'Random'; known: Popularity"),
        ({"measure": ho.Popularity()}, "measure: 'Popularity' is a recommender, not a metric"),
        ({"measure": [None]}, "measure: expected a text or a table, found None"),
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


def test_the_task_is_one_of_five() -> None:
    assert study(task="utility").task == "utility"
    with pytest.raises(UnknownNameError, match="task: unknown task 'utilty'; did you mean utility"):
        study(task="utilty")


# Files


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with data in it, and another as working folder."""
    folder = tmp_path / "room"
    (folder / "sets").mkdir(parents=True)
    ratings = ho.read("simulate(users=20, items=12, ratings=120)").to_polars()
    ratings.write_csv(folder / "sets" / "all.csv")
    ratings.gather_every(2).write_csv(folder / "sets" / "train.csv")
    ratings.gather_every(2, offset=1).write_csv(folder / "sets" / "test.csv")
    ratings.rename({"user_id": "who", "item_id": "what"}).write_csv(folder / "sets" / "named.csv")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return folder


@pytest.mark.parametrize(
    "keys",
    [
        'data = "sets/all.csv"\nsplit = "ratio(train=0.5)"',
        'data = \'csv("sets/all.csv")\'\nsplit = "ratio(train=0.5)"',
        'data = { path = "sets/named.csv", user = "who", item = "what" }\nsplit = "ratio(train=0.5)"',
        'split = \'given(train="sets/train.csv", test="sets/test.csv")\'',
        'split = \'given(train=["sets/train.csv"], test=["sets/test.csv"])\'',
        'data = "sets/all.csv"\nsplit = \'given(test="sets/test.csv")\'',
    ],
)
def test_paths_are_relative_to_the_study_file(keys: str, room: Path) -> None:
    (room / "study.toml").write_text(keys + '\nrecommend = "Popularity"\nmeasure = "P@5"\n')
    for path in (room / "study.toml", Path("../room/study.toml")):
        outcome = run_study(read_study(path))
        assert outcome.splits[0].train + outcome.splits[0].test == 120
        assert outcome.splits[0].test > 40


def test_paths_at_home_and_absolute_ones(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(room))
    for text in ("~/sets/all.csv", str(room / "sets" / "all.csv")):
        (room.parent / "study.toml").write_text(f'data = "{text}"\nsplit = "ratio"\nrecommend = "Popularity"\n')
        assert run_study(read_study(room.parent / "study.toml")).data[0].steps[0][1].ratings == 120


def test_a_dictionary_takes_paths_from_the_working_folder(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(room)
    for source in ("sets/all.csv", Path("sets/all.csv")):
        assert run_study(study(data=source)).data[0].steps[0][1].ratings == 120


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
    narrow = ho.run({**study, "users": "with_train", "measure": "P@5"}).facts.leaderboard[0]
    both = ho.run({**study, "users": [["with_test", "with_train"]], "measure": "P@5"}).facts.leaderboard[0]
    everyone = ho.run({**study, "users": [["with_train", "all"]], "measure": "P@5"}).facts.leaderboard[0]
    assert (narrow.users, narrow.value) == (both.users, both.value)
    assert everyone.users > narrow.users
