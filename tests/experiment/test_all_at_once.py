"""A study with several mistakes is told all of them in one message, each with its place."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from tests.refusals import refused

from heldout import read_study
from heldout.errors import (
    MOST_LISTED,
    UNKNOWN,
    HeldoutError,
    NotApplicableError,
    SpecError,
    UnknownNameError,
    all_of,
    for_each,
)
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
    ("", "sead"),
    ("metrics: P: cut-off", 2147483648),
    ("metrics", "Foo"),
    ("recommend", "Nope"),
    ("recommend: ItemKNN: 'k'", -1),
    ("compare", "blah"),
    ("development", math.inf),
]


def told(keys: dict[str, Any], *, make: Any = study_from) -> list[tuple[str, Any]]:
    """What is wrong with a study: each place, and there the unknown name or the value found, or else the problem."""
    with pytest.raises(HeldoutError) as caught:
        make({**LEAST, **keys})
    problems = caught.value.parts or (caught.value,)
    assert len(problems) == 1 or str(caught.value).startswith(f"{len(problems)} things ")
    return [(problem.where, _mistake(problem)) for problem in problems]


def _mistake(problem: HeldoutError) -> Any:
    if isinstance(problem, UnknownNameError):
        return problem.name
    return problem.what if problem.found is UNKNOWN else problem.found


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
                ("metrics", None),
                ("metrics", "metrc"),
                ("metrics", "Foo"),
            ],
        ),
        (
            {"compare": {"tests": ["blah"], "colour": 1, "folds": "k", "correction": "hulm", "baseline": "Random"}},
            [("compare", name) for name in ("colour", "blah", "hulm", "Random", "k")],
        ),
        (
            {"split": 4, "task": "x", "seed": 2**70, "validation": "folds(3)", "engine": "moon", "title": "\x00"},
            [
                ("title", "\x00"),
                ("split", 4),
                ("validation", "folds(n=3)"),
                ("seed", 2**70),
                ("task", "x"),
                ("engine", "moon"),
            ],
        ),
        (
            {"filters": [["core(x)", "cor"], "positiv"], "users": ["nobody"], "data": [{"user": "uid"}, 5]},
            [
                ("data", {"user": "uid"}),
                ("data", 5),
                ("filters: core: 'k'", "x"),
                ("filters", "cor"),
                ("filters", "positiv"),
                ("users", "nobody"),
            ],
        ),
        (
            {"ties": ["expected"], "unrated": "interval", "task": "x"},
            [("task", "x"), ("ties", ["ties=expected", "unrated=interval"])],
        ),
    ],
)
def test_each_mistake_is_told_once_and_nothing_that_follows_from_it(
    keys: dict[str, Any], problems: list[tuple[str, Any]]
) -> None:
    assert told(keys) == problems


def test_a_baseline_is_not_called_unknown_where_systems_are() -> None:
    keys = {"recommend": ["Popularity", {"name": "mine", "model": 5}], "compare": {"baseline": "mine"}}
    assert told(keys) == [("recommend, model", 5)]
    keys = {"recommend": ["Popularity", {"name": "mine", "model": "Nope"}], "compare": {"baseline": "mine"}}
    assert told(keys) == [("recommend", "Nope")]


def test_a_misspelt_key_is_not_called_missing_too() -> None:
    with refused(SpecError) as refusal:
        study_from({"dataset": "simulate", "split": "ratio", "recomend": "Popularity"})
    parts = [(part.found, part.near) for part in refusal.value.parts if isinstance(part, UnknownNameError)]
    assert parts == [("dataset", ["data"]), ("recomend", ["recommend"])] and len(refusal.value.parts) == 2


def test_a_multiverse_tells_what_its_table_has_wrong_beside_the_rest() -> None:
    keys = {"multiverse": {"cutoffs": [0]}, "metrics": "nDCG", "recommend": ["Nope", "Random"]}
    assert told(keys, make=multiverse_from) == [
        ("metrics: multiverse, cutoffs", 0),
        ("recommend", "Nope"),
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
