"""Sources in memory and paths that are relative to the study file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout import Study, read_study
from heldout.data.memory import InMemory
from heldout.errors import SpecError
from heldout.experiment.run import run_study
from heldout.study.file import study_from

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def study(**keys: Any) -> Study:
    return study_from({**LEAST, **keys})


def texts(options: Any) -> list[str]:
    return [str(option) for option in options]


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
    with refused(SpecError, where="data", found=["user"], hint="leave them out"):
        study(data={"path": rated, "user": "who"})


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
    (room / "study.toml").write_text(keys + '\nrecommend = "Popularity"\nmetrics = "P@5"\n')
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
