"""Study files: TOML whose shape is checked as a whole, paths relative to the file, sources in memory, and the schema."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout import Study, read_study, schema
from heldout.data.memory import InMemory
from heldout.errors import UNKNOWN, InputError, SpecError, UnknownNameError
from heldout.study.file import misshapen, study_from
from heldout.study.spec import KINDS_OF_STAGE
from heldout.universes.grid.file import multiverse_from

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def test_the_schema_knows_every_stage_and_its_components() -> None:
    properties = schema()["properties"]
    assert set(KINDS_OF_STAGE) <= set(properties)
    assert any(text.startswith("nDCG(") for text in properties["metrics"]["examples"])
    assert "(decision A2)" in properties["split"]["description"]


@pytest.mark.parametrize(
    ("keys", "sound"),
    [
        ({}, True),
        (
            {"title": None, "data": [{"path": "a.csv", "user": "who"}, "simulate"], "filters": [["core(2)"], [], "core(3)"]},
            True,
        ),
        ({"recommend": ["Random", {"name": "x", "model": "Random", "num_gpus": 0.5}], "development": 30}, True),
        ({"metrics": [{"metric": "HLU", "aggregate": ["pooled", "mean"]}], "compare": {"tests": "t", "folds": None}}, True),
        ({"multiverse": {"seeds": [1], "gains": "exp2"}, "meta": {"sampling": "user", "shares": [1, 0.5]}}, True),
        ({"unrated": 1}, False),
        ({"unratd": "zero"}, False),
        ({"seed": True}, False),
        ({"seed": "1"}, False),
        ({"development": 0}, False),
        ({"filters": [[["core(2)"]]]}, False),
        ({"data": {"user": "who"}}, False),
        ({"recommend": [{"nam": "x", "model": "Random"}]}, False),
        ({"metrics": [{"aggregate": "mean"}]}, False),
        ({"compare": {"tests": None}}, False),
        ({"compare": {"level": 1}}, False),
        ({"multiverse": {"cutoffs": [5, "10"]}}, False),
        ({"meta": {"sampling": "users"}}, False),
    ],
)
def test_the_schema_accepts_what_the_check_of_a_file_accepts(keys: dict[str, Any], sound: bool) -> None:
    validator = jsonschema.Draft202012Validator(schema())
    assert validator.is_valid(keys) == (not misshapen(keys)) == sound


@pytest.mark.parametrize("spelling", ["measure", "metrics", "metric", "measures"])
@pytest.mark.parametrize("filtering", ["filter", "filters"])
@pytest.mark.filterwarnings("ignore::heldout.errors.SpellingWarning")
def test_metrics_and_filters_are_read_in_any_spelling(spelling: str, filtering: str, tmp_path: Path) -> None:
    keys = {"data": "simulate(users=30, items=20, ratings=300)", "split": "ratio", "recommend": ["Popularity", "Random"]}
    expected = study_from({**keys, "metrics": ["P@5", "RR"], "filters": [["core(2)"]]})
    written = {**keys, spelling: ["P@5", "RR"], filtering: [["core(2)"]]}
    with warnings.catch_warnings(record=True) as hints:
        warnings.simplefilter("always")
        assert study_from(written) == expected
    named = {"metrics" if spelling != "metrics" else None, "filters" if filtering != "filters" else None} - {None}
    assert {str(hint.message).rpartition("write ")[2] for hint in hints} == named
    text = "\n".join(f"{key} = {json.dumps(value)}" for key, value in written.items())
    (tmp_path / "study.toml").write_text(text)
    assert read_study(tmp_path / "study.toml") == expected
    assert multiverse_from(written).study.metrics == expected.metrics


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    return tmp_path / "study.toml"


def test_a_byte_order_mark_is_no_key(study_file: Path) -> None:
    keys = "\n".join(f'{key} = "{value}"' for key, value in LEAST.items())
    study_file.write_bytes(b"\xef\xbb\xbf" + keys.encode())
    assert read_study(study_file) == study_from(LEAST)


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b"seed = 1\ndata = \n", {"line": 2, "expected": "valid TOML"}),
        (b"data = '\xff'", {"found": b"\xff", "expected": "UTF-8 text"}),
        (b"a = " + b"[" * 5000, {"expected": "valid TOML"}),
        (b"a = " + b"1" * 5000, {"expected": "valid TOML"}),
    ],
)
def test_what_cannot_be_read(content: bytes, parts: dict[str, Any], study_file: Path) -> None:
    study_file.write_bytes(content)
    with refused(InputError, file=study_file, **parts):
        read_study(study_file)


def test_what_is_no_study_file(tmp_path: Path) -> None:
    with refused(InputError, found="list", expected="a dict of its keys", hint="ratings are one of the keys"):
        read_study([1])  # type: ignore[arg-type]
    with refused(InputError, file=tmp_path, expected="a study file"):
        read_study(tmp_path)
    (tmp_path / "study.toml").write_text("")
    with refused(InputError, file="studdy.toml", hint="study.toml"):
        read_study(tmp_path / "studdy.toml")
    with refused(InputError, file="a\x00b", found=UNKNOWN):
        read_study("a\x00b")
    with refused(SpecError, found=[1], expected="a table with the keys of a study"):
        study_from([1])  # type: ignore[arg-type]


def test_errors_name_the_file(study_file: Path) -> None:
    study_file.write_text('data = "simulate"\nsplit = "ratoi"\nrecommend = "Popularity"\n')
    with refused(UnknownNameError, where="study.toml: split", hint="did you mean ratio"):
        read_study(study_file)
    study_file.write_text('measure = "P@5"\nmetrics = "P@5"\n')
    with refused(SpecError, where="study.toml: metrics", found=["measure", "metrics"]):
        read_study(study_file)


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
    with refused(UnknownNameError, where="data", hint="did you mean item?"):
        study(data={"path": pl.DataFrame(strange), "user": "who", "itm": "what"})
    rated = ho.read(strange, user="who", item="what", value="stars")
    with refused(SpecError, where="data"):
        study(data={"path": rated, "user": "who"})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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
def test_paths_are_relative_to_the_study_file(keys: str, folder: Path) -> None:
    (folder / "study.toml").write_text(keys + '\nrecommend = "Popularity"\nmetrics = "P@5"\n')
    for path in (folder / "study.toml", Path("../room/study.toml")):
        outcome = ho.run(path)._source
        assert outcome is not None and outcome.splits[0].train + outcome.splits[0].test == 120
        assert outcome.splits[0].test > 40


def test_paths_at_home_and_absolute_ones(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    for text in ("~/sets/all.csv", str(folder / "sets" / "all.csv")):
        (folder.parent / "study.toml").write_text(f'data = "{text}"\nsplit = "ratio"\nrecommend = "Popularity"\n')
        outcome = ho.run(folder.parent / "study.toml")._source
        assert outcome is not None and outcome.data.value[0].steps[0].profile["ratings"] == 120


def test_a_dictionary_takes_paths_from_the_working_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for source in ("sets/all.csv", Path("sets/all.csv")):
        outcome = ho.run({**LEAST, "data": source})._source
        assert outcome is not None and outcome.data.value[0].steps[0].profile["ratings"] == 120
