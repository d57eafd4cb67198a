"""Keys of one value: task, seed, validation, development users, engine."""

from __future__ import annotations

import re
from typing import Any

import pytest

from heldout import Study
from heldout.errors import SpecError, UnknownNameError
from heldout.study.file import study_from

LEAST: dict[str, Any] = {"data": "simulate", "split": "ratio", "recommend": "Popularity"}


def study(**keys: Any) -> Study:
    return study_from({**LEAST, **keys})


def test_the_task_is_one_of_five() -> None:
    assert study(task="utility").task == "utility"
    with pytest.raises(UnknownNameError, match="task: unknown task 'utilty'; did you mean utility"):
        study(task="utilty")


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("seed", 1.5, "expected a whole number, found 1.5"),
        ("seed", 2**70, "the seed"),
        ("validation", "folds(4)", "validation: folds(n=4) does not divide the training part once"),
        ("development", 1.5, "a share below 1 or a whole number of users is expected, found 1.5"),
        ("engine", "there", "unknown engine 'there'; did you mean here"),
    ],
)
def test_what_is_refused(key: str, value: Any, words: str) -> None:
    with pytest.raises(SpecError, match=re.escape(words)):
        study(**{key: value})


def test_a_share_and_a_number_of_development_users() -> None:
    assert study(development=0.5).development == 0.5
    assert study(development=30).development == 30.0
    assert study().development is None
