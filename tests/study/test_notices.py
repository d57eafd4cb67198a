"""Warnings that the choices of a study alone call for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.study.test_choices import KEYS

from heldout.study.choices import Choices
from heldout.study.file import study_from
from heldout.study.notices import about_choices, about_study


def all_and_shown(**changed: Any) -> tuple[list[tuple[str, str | None]], list[str]]:
    """Code and severity of all warnings, and the codes of those that a run shows."""
    keys = {**KEYS, "metrics": "P@5", **changed}
    study = study_from(keys)
    return [(n.code, n.severity) for n in about_choices(Choices(study, keys))], [n.code for n in about_study(study)]


@pytest.mark.parametrize(
    ("changed", "expected", "shown"),
    [
        ({}, [], []),
        ({"target": "OnePlusRandom(5)"}, [("HO201", "error")], ["HO201"]),
        ({"target": ["AllItems", "OnePlusRandom(5)"]}, [("HO201", "advice")], ["HO201"]),
        ({"target": "P1R(2, percentiles=2)"}, [("HO201", "warning")], ["HO201"]),
        ({"target": "TestRatings"}, [("HO202", "error")], ["HO202"]),
        ({"target": ["AllItems", "OnePlusRandom(5)"], "metrics": ["P@5", "bpref"]}, [("HO201", "advice"), ("HO301", None)],
         ["HO201", "HO301"]),
        ({"task": "all_good_items"}, [("HO306", "error")], ["HO306"]),
        ({"task": "all_good_items", "metrics": ["P@5", "Recall@5"]}, [("HO306", "warning")], []),
        ({"recommend": ["Popularity", "Random", "EASE"], "compare": {"tests": ["t"], "correction": "none"}},
         [("HO410", None)], ["HO410"]),
        ({"split": "folds(3)", "compare": {"tests": ["t"], "folds": "pooled"}}, [("HO404", None)], []),
        ({"compare": {"tests": ["t"], "folds": "pooled"}}, [], []),
        ({"development": 0.5, "compare": {"tests": ["t"], "group": "all"}}, [("HO406", None)], []),
        ({"recommend": ["Popularity", "Random", "EASE"], "compare": {"tests": ["tukey"], "correction": "none"}}, [], []),
    ],
)  # fmt: skip
def test_every_warning_is_made_and_the_graver_ones_are_shown(
    changed: dict[str, Any], expected: list[tuple[str, str | None]], shown: list[str]
) -> None:
    assert all_and_shown(**changed) == (expected, shown)
