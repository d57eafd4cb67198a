"""Studies that anybody may have written."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import SpecError
from heldout.web.catalogue_study import catalogue_study

STUDY: dict[str, Any] = {
    "data": "ratings.csv",
    "split": "ratio(train=0.5, by=rating)",
    "recommend": ["Popularity", "Random"],
    "relevance": "threshold(4)",
    "metrics": "P@2",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    rows = [f"{user},{item},{1 + (user * item) % 5}" for user in range(20) for item in range(12)]
    (home / "ratings.csv").write_text("user,item,rating\n" + "\n".join(rows) + "\n")
    return home


def test_paths_are_relative_to_the_folder_and_not_to_where_one_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.parent)
    study = catalogue_study(STUDY, home)
    assert study.review().codes == ho.lint(_written(home, STUDY)).codes
    assert study.plan().fits == 2


def _written(home: Path, keys: dict[str, Any]) -> Path:
    path = home / "study.toml"
    path.write_text("\n".join(f"{key} = {value!r}" for key, value in keys.items()).replace("'", '"'))
    return path


def test_a_multiverse_is_one_too(home: Path) -> None:
    study = catalogue_study({**STUDY, "multiverse": {"seeds": [1, 2]}, "target": ["AllItems", "TestRatings"]}, home)
    assert study.plan().fits == 4 and study.reviewed.seeds == (1, 2)


@pytest.mark.parametrize(
    "data",
    [
        "../ratings.csv",
        "/etc/passwd",
        "~/x.csv",
        "~nobody-of-this-name/x.csv",
        'csv("../x")',
        {"path": "../x"},
        ["a\0b"],
        "link",
    ],
)
def test_paths_that_lead_out_are_refused(home: Path, data: Any) -> None:
    (home / "link").symlink_to(home.parent)
    with refused(SpecError, where="data", hint="name a file inside it, without links"):
        catalogue_study({**STUDY, "data": data}, home)


def test_a_link_that_stays_inside_is_followed(home: Path) -> None:
    (home / "link.csv").symlink_to(home / "ratings.csv")
    assert catalogue_study({**STUDY, "data": "link.csv"}, home).reviewed.study.data


def test_titles_are_no_paths(home: Path) -> None:
    assert catalogue_study({**STUDY, "title": "../and/or"}, home).reviewed.study.title == "../and/or"


def test_components_of_others_are_refused(home: Path, doomed: Any) -> None:
    with refused(SpecError, hint="run it by `heldout run`, as yourself"):
        catalogue_study({**STUDY, "recommend": ["Popularity", "doomed"]}, home)


@pytest.mark.parametrize(
    "data",
    [
        "s3://bucket/ratings.parquet",
        "https://example.org/ratings.parquet",
        "file:///etc/passwd",
        'parquet("gs://bucket/*.parquet")',
        {"path": "hf://datasets/x/y.parquet"},
    ],
)
def test_addresses_are_refused(home: Path, data: Any) -> None:
    with refused(SpecError, where="data", hint="run it by `heldout run`, as yourself"):
        catalogue_study({**STUDY, "data": data}, home)


@pytest.mark.parametrize("key", ["data", "recommend", "split"])
def test_pipes_are_refused_and_not_waited_for(home: Path, key: str) -> None:
    (home / "inner").mkdir()
    os.mkfifo(home / "pipe.csv")
    os.mkfifo(home / "inner" / "pipe.csv")
    forms = {"data": ["{}"], "recommend": ['External("{}")', "Random"], "split": 'given(test="{}")'}
    for name in ("pipe.csv", "inner", "inner/*.csv"):
        with refused(SpecError, where=key, hint="name a file inside the served folder"):
            text = [form.format(name) for form in forms[key]] if isinstance(forms[key], list) else forms[key].format(name)
            catalogue_study({**STUDY, key: text}, home)


def test_a_folder_that_cannot_be_checked_whole_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link behind the last file that is looked at would be followed."""
    (home / "many").mkdir()
    for number in range(4):
        (home / "many" / f"{number}.csv").touch()
    monkeypatch.setattr("heldout.web.catalogue_study.MOST_FILES_LOOKED_AT", 3)
    with refused(SpecError, where="data", hint="name a file in it, or"):
        catalogue_study({**STUDY, "data": "many"}, home)
