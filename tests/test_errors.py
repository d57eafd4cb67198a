"""Errors: what is wrong, where, and what to do; several at once are one."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import (
    MOST_LISTED,
    UNKNOWN,
    HeldoutError,
    InputError,
    NotApplicableError,
    SpecError,
    SpellingWarning,
    UnknownNameError,
    all_of,
    for_each,
    visible,
)


def test_an_error_says_where_and_what_to_do() -> None:
    error = SpecError("is no metric", where="metrics", hint="see `heldout list`")
    assert str(error) == "metrics: is no metric; see `heldout list`"
    assert str(error.within("study.toml")) == "study.toml: metrics: is no metric; see `heldout list`"
    assert str(InputError("is empty", file="r.csv", line=3)).startswith("r.csv, line 3")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"what": "not a number", "found": "x"}, "not a number: found 'x'"),
        ({"expected": "a number", "found": "x"}, "expected a number, found 'x'"),
        (
            {"what": "too few users", "expected": "at least 2", "found": 12345},
            "too few users: expected at least 2, found 12,345",
        ),
        ({"what": "no such column", "found": ["user", "item"]}, "no such column: found user, item"),
        ({"expected": "a share", "found": None, "hint": "write 0.8"}, "expected a share, found None; write 0.8"),
        ({"expected": "a table", "found": []}, "expected a table, found none"),
    ],
)
def test_a_message_is_put_together_from_the_parts(parts: dict[str, Any], message: str) -> None:
    assert str(SpecError(**parts)) == message
    assert str(InputError(file="r.csv", line=3, column="rating", **parts)) == f"r.csv, line 3, column 'rating': {message}"


def test_parts_of_an_error_survive_another_process() -> None:
    error = pickle.loads(pickle.dumps(InputError("not a number", file="r.csv", line=3, found="x")))
    assert (error.file, error.line, error.found, error.column) == ("r.csv", 3, "x", None)
    assert pickle.loads(pickle.dumps(SpecError("a"))).found is UNKNOWN


def test_an_error_is_asserted_by_its_parts() -> None:
    with refused(InputError, file="r.csv", line=3, found="x"):
        raise InputError("not a number", file="folder/r.csv", line=3, found="x")
    for parts in ({"line": 4}, {"found": "y"}, {"file": "q.csv"}, {"hint": "write"}, {"where": "r.cs"}, {"column": "user"}):
        with pytest.raises(AssertionError), refused(InputError, **parts):
            raise InputError("not a number", file="folder/r.csv", line=3, found="x")
    with pytest.raises(AssertionError), refused(HeldoutError):
        raise SpecError("a subclass is another kind")


def test_a_terminal_obeys_nothing_that_an_error_quotes() -> None:
    assert visible("a\x1b[31mb\tc\n") == "a\\x1b[31mb\tc\n"
    assert "\x1b" not in str(SpecError("found '\x1b[2J'"))


def test_problems_are_told_together_and_each_once() -> None:
    one, other = SpecError("a"), NotApplicableError("b")
    assert all_of([one, SpecError("a")]) is not None and str(all_of([one, SpecError("a")])) == "a"
    both = all_of([one, other, one])
    assert isinstance(both, SpecError) and str(both) == "2 things are wrong:\n- a\n- b"
    assert isinstance(all_of([other, NotApplicableError("c")]), NotApplicableError)
    assert len(all_of([both, SpecError("c")]).parts) == 3  # those of an error of several are taken one by one
    many = all_of([SpecError(str(k)) for k in range(MOST_LISTED + 7)])
    assert str(many).endswith("\n- and 7 more")


def test_all_entries_are_tried() -> None:
    def even(number: int) -> int:
        if number % 2:
            raise SpecError(f"{number} is odd")
        return number

    assert for_each(even, [2, 4]) == [2, 4]
    with refused(SpecError) as refusal:
        for_each(even, [1, 2, 3])
    assert [str(part) for part in refusal.value.parts] == ["1 is odd", "3 is odd"]


def test_a_spelling_is_warned_of_at_the_line_of_the_caller() -> None:
    with pytest.warns(SpellingWarning, match="AP@5") as said:
        ho.evaluate({"u": {"a": 1}}, {"u": ["a"]}, "MAP@5")
    assert [warning.filename for warning in said] == [__file__]


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("criticl-difference", ["critical-difference"]),
        ("critcal", ["critical-difference"]),
        ("diference", ["critical-difference"]),
        ("roc", ["ROC"]),
        ("popularty", ["item-popularity", "data-popularity"]),
        ("xyz", []),
    ],
)
def test_a_name_is_found_by_one_of_its_words(written: str, near: list[str]) -> None:
    names = ["ROC", "critical-difference", "data-popularity", "item-popularity", "leaderboard"]
    error = UnknownNameError("figure", written, names)
    assert error.near == near
    assert (", ".join(error.names) in str(error)) == (not near)
