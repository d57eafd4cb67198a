"""Every verb, given nonsense as its first argument, says what it takes in an error of Heldout."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
from tests.exports import INTERFACE
from tests.refusals import refused

import heldout as ho

NONSENSE = (None, 3, "", object())
WORKS = {("list", None), ("list_data_sets", None), ("list_experiments", None), ("list_experiments", "")}
"""What is asked for all there is."""
OTHERS: dict[str, dict[str, Any]] = {
    "check": {"baseline": "A", "candidate": "B"},
    "convert": {"target": "out.csv"},
    "reproduce": {"data": "no such folder"},
}
VERBS = sorted(
    name for name in INTERFACE if not inspect.isclass(getattr(ho, name)) and name != "schema"
)  # which takes nothing


def _required(verb: Any) -> list[inspect.Parameter]:
    positional = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
    return [p for p in inspect.signature(verb).parameters.values() if p.kind in positional and p.default is p.empty]


@pytest.mark.parametrize("name", VERBS)
def test_nonsense_is_answered_in_words(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.md").write_text("no results and no data")
    monkeypatch.chdir(tmp_path)  # which is what an empty path means
    verb = getattr(ho, name)
    others = OTHERS.get(name, {p.name: "nDCG@10" for p in _required(verb)[1:]})
    for value in NONSENSE:
        if (name, value) in WORKS:
            assert len(verb(value)) > 1
            continue
        with pytest.raises(ho.HeldoutError) as raised:
            verb(value, **others)
        assert len(str(raised.value)) > 20, name


def test_the_error_names_what_was_found_and_what_is_expected() -> None:
    parts: list[tuple[Any, type[ho.HeldoutError], dict[str, Any]]] = [
        (lambda: ho.verify(3), ho.ResultsError, {"found": "int", "expected": "the path of a results folder"}),
        (
            lambda: ho.list(3),
            ho.SpecError,
            {"found": "int", "expected": "a kind of component", "hint": 'ho.list("metrics")'},
        ),
        (
            lambda: ho.reproduce(3, data="simulated"),
            ho.SpecError,
            {"where": "paper", "found": 3, "expected": "canamares-2020"},
        ),
        (
            lambda: ho.list_experiments(3),
            ho.SpecError,
            {"where": "data", "found": "int", "expected": "the path of a folder"},
        ),
        (lambda: ho.fetch(None), ho.SpecError, {"found": None, "expected": "the name of a data set", "hint": "ml-1m"}),
        (
            lambda: ho.audit("split"),
            ho.InputError,
            {"found": "str", "expected": "one fold of a split", "hint": "ho.split(…).audits()"},
        ),
        (lambda: ho.make("metrics", "P@5"), ho.UnknownNameError, {"hint": "did you mean metric?"}),
        (
            lambda: ho.as_recommender(len, "mine"),
            ho.SpecError,
            {"where": "name", "found": "builtin_function_or_method", "hint": 'ho.as_recommender("mine", model)'},
        ),
        (
            lambda: ho.fit({"user": ["u"], "item": ["x"]}, "EASE"),
            ho.SpecError,
            {"found": "dict", "expected": "a model", "hint": 'ho.fit("EASE", train)'},
        ),
    ]
    for call, kind, named in parts:
        with refused(kind, **named):
            call()


def test_a_split_in_the_place_of_ratings() -> None:
    ratings = {"user": ["u"] * 5, "item": list("abcde"), "rating": [1, 2, 3, 4, 5]}
    for divided in (ho.split(ratings), ho.split(ratings, "folds(2)"), ho.split(ratings)[0]):
        with refused(ho.InputError, found=type(divided).__name__, hint="split.train or split.test"):
            ho.fit("Popularity", divided)
        with refused(ho.InputError, where="the test set", hint="split.train or split.test"):
            ho.evaluate(divided, {"u": ["a"]}, "P@1")
