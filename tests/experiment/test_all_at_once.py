"""A study with several mistakes is told all of them in one message, each with its place."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from heldout import read_study
from heldout.errors import MOST_LISTED, HeldoutError, NotApplicableError, SpecError, all_of, for_each
from heldout.study.file import study_from
from heldout.universes.grid.file import multiverse_from

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}
MANY: dict[str, Any] = {
    "metrics": ["P@2147483648", "Foo"],
    "recommend": ["Nope", "ItemKNN(k=-1)"],
    "development": math.inf,
    "compare": {"tests": ["t", "blah"]},
    "sead": 1,
}
TOLD_OF_MANY = [
    "unknown key 'sead'",
    "metrics: P: cut-off must be at most 10,000,000, found 2147483648",
    "metrics: unknown metric 'Foo'",
    "recommend: unknown recommender 'Nope'",
    "recommend: ItemKNN: 'k' must be at least 1, found -1",
    "compare: unknown test 'blah'",
    "development: a share below 1 or a whole number of users is expected, found inf",
]


def told(keys: dict[str, Any], *, make: Any = study_from) -> list[str]:
    """What is wrong with a study, without what follows a semicolon."""
    with pytest.raises(HeldoutError) as caught:
        make({**LEAST, **keys})
    lines = str(caught.value).split("\n- ")
    assert len(lines) == 1 or lines.pop(0).startswith(f"{len(lines)} things ")
    return [line.partition(";")[0] for line in lines]


def test_unknown_keys_list_entries_tests_and_settings_are_told_together() -> None:
    assert told(MANY) == TOLD_OF_MANY
    assert told({**MANY, "multiverse": {"seeds": [1, 2]}}, make=multiverse_from) == TOLD_OF_MANY


def test_a_file_with_several_mistakes_is_named_once(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text('data = "simulate"\nsplit = ["ratio", "folds(0)", "rato"]\nrecommend = "Popularity"\nseeed = 1\n')
    with pytest.raises(SpecError) as caught:
        read_study(file)
    assert str(caught.value).splitlines()[0] == f"{file}: 3 things are wrong:"
    assert str(caught.value).count(str(file)) == 1


@pytest.mark.parametrize(
    ("keys", "problems"),
    [
        (
            {"metrics": ["Foo", None, {"metrc": "P@5"}, "P@5"], "objectives": "ILD@5"},
            [
                "metrics: expected a text or a table, found None",
                "metrics: unknown key 'metrc'",
                "metrics: unknown metric 'Foo'",
            ],
        ),
        (
            {"compare": {"tests": ["blah"], "colour": 1, "folds": "k", "correction": "hulm", "baseline": "Random"}},
            [
                "compare: unknown key 'colour'",
                "compare: unknown test 'blah'",
                "compare: unknown correction 'hulm'",
                "compare: unknown baseline 'Random'",
                "compare: unknown folds 'k'",
            ],
        ),
        (
            {"split": 4, "task": "x", "seed": 2**70, "validation": "folds(3)", "engine": "moon", "title": "\x00"},
            [
                "title: a text holds a NUL, which is no character",
                "split: expected a text or a list, found 4",
                "task: unknown task 'x'",
                f"seed: the seed must be a whole number of at most {2**63 - 1:,}, found {2**70}",
                "validation: folds(n=3) does not divide the training part once",
                "engine: unknown engine 'moon'",
            ],
        ),
        (
            {"filters": [["core(x)", "cor"], "positiv"], "users": ["nobody"], "data": [{"user": "uid"}, 5]},
            [
                "data: the table needs 'path'",
                "data: expected a text or a table, found 5",
                "filters: core: 'k' must be a whole number, found x",
                "filters: unknown filter 'cor'",
                "filters: unknown filter 'positiv'",
                "users: unknown rule for users 'nobody'",
            ],
        ),
        (
            {"ties": ["expected"], "unrated": "interval", "task": "x"},
            ["task: unknown task 'x'", "ties: ties=expected and unrated=interval cannot be combined"],
        ),
    ],
)
def test_each_mistake_is_told_once_and_nothing_that_follows_from_it(keys: dict[str, Any], problems: list[str]) -> None:
    assert told(keys) == problems


def test_a_baseline_is_not_called_unknown_where_systems_are() -> None:
    keys = {"recommend": ["Popularity", {"name": "mine", "model": 5}], "compare": {"baseline": "mine"}}
    assert told(keys) == ["recommend, model: expected a text, found 5"]
    keys = {"recommend": ["Popularity", {"name": "mine", "model": "Nope"}], "compare": {"baseline": "mine"}}
    assert told(keys) == ["recommend: unknown recommender 'Nope'"]


def test_a_misspelt_key_is_not_called_missing_too() -> None:
    with pytest.raises(SpecError, match=r"^2 things") as caught:
        study_from({"dataset": "simulate", "split": "ratio", "recomend": "Popularity"})
    assert "unknown key 'dataset'; did you mean data?" in str(caught.value)
    assert "unknown key 'recomend'; did you mean recommend?" in str(caught.value)


def test_a_multiverse_tells_what_its_table_has_wrong_beside_the_rest() -> None:
    keys = {"multiverse": {"cutoffs": [0]}, "metrics": "nDCG", "recommend": ["Nope", "Random"]}
    assert told(keys, make=multiverse_from) == [
        "metrics: multiverse, cutoffs: a cut-off is a whole number of at least 1, found 0",
        "recommend: unknown recommender 'Nope'",
    ]


def test_errors_inside_errors_are_one_list_however_long() -> None:
    def refuse(number: int) -> None:
        raise SpecError(f"{number} is bad", where="here")

    with pytest.raises(SpecError) as caught:
        for_each(refuse, [*range(MOST_LISTED + 1), 3])
    both = all_of([caught.value.within("there"), NotApplicableError("a with b")])
    lines = str(both).splitlines()
    assert lines[0] == f"{MOST_LISTED + 2} things are wrong:"
    assert lines[1] == "- there: here: 0 is bad"
    assert lines[-2:] == [f"- there: here: {MOST_LISTED - 1} is bad", "- and 2 more"]
    assert both.args == (str(both),)
    assert for_each(str, [1, 2]) == ["1", "2"]
