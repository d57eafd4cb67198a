"""How many users a difference needs, from results at hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.errors import ResultsError
from heldout.significance.power import power_of, users_needed

USERS = [f"u{k}" for k in range(12)]
TEST = {"user": USERS, "item": ["x"] * 12, "rating": [5] * 12}
A, B = [1, 2, 1, 1, 4, 1, 2, 1, 1, 2, 1, 5], [2, 2, 1, 4, 4, 2, 5, 1, 2, 2, 1, 1]
ONE_EACH = {"u": {"a": 1}, "v": {"a": 1}, "w": {"a": 1}, "x": {"a": 1}}


def runs(**places: list[int]) -> dict[str, dict[str, list[str]]]:
    """By system, for every user the place of the item that is liked, from 1."""
    return {
        system: {user: [*(f"y{k}" for k in range(place - 1)), "x"] for user, place in zip(USERS, at, strict=True)}
        for system, at in places.items()
    }


def test_the_deviation_is_that_of_users_differences() -> None:
    results = ho.evaluate(TEST, runs(A=A, B=B), ["RR", "P@1"], relevance="threshold(4)")
    (row,) = ho.power(results, 0.05).to_dicts()
    deviation = np.std([1 / a - 1 / b for a, b in zip(A, B, strict=True)], ddof=1)
    assert (row["metric"], row["a"], row["b"], row["users"]) == ("RR", "A", "B", 12)
    assert row["deviation"] == pytest.approx(deviation)
    assert row["users_needed"] == users_needed(0.05, deviation=deviation, power=0.8, level=0.05)
    assert row["power"] == pytest.approx(power_of(12, 0.05, deviation=deviation, level=0.05))
    assert ho.power(results, 0.05, power=0.9)["users_needed"][0] > row["users_needed"]
    assert ho.power(results, 0.05, metric="P@1")["metric"].to_list() == ["P@1"]


def test_pairs_without_a_difference_are_left_out() -> None:
    results = ho.evaluate(TEST, runs(A=A, B=B, C=A), ["RR"], relevance="threshold(4)")
    pairs = ho.power(results, 0.05).select("a", "b").rows()
    assert {frozenset(pair) for pair in pairs} == {frozenset("AB"), frozenset("BC")}
    only = ho.power(results, 0.05, baseline="A").select("a", "b").rows()
    assert [set(pair) for pair in only] == [{"A", "B"}]
    same = ho.evaluate(TEST, runs(A=A, C=A), ["RR"], relevance="threshold(4)")
    with refused(ResultsError):
        ho.power(same, 0.05)


def test_the_spread_is_told_by_difference_and_effect() -> None:
    """Differences 1, 1, 1 and 0 have mean 3/4 and deviation 1/2: a difference of 1/10 is a fifth of it."""
    runs = {"A": {u: ["a"] for u in ONE_EACH}, "B": {u: ["a" if u == "x" else "b"] for u in ONE_EACH}}
    [needed] = ho.power(ho.evaluate(ONE_EACH, runs, "P@1"), 0.1).to_dicts()
    assert needed["deviation"] == pytest.approx(0.5) and needed["d"] == pytest.approx(0.2)
    assert needed["users_needed"] == users_needed(0.1, deviation=0.5, power=0.8, level=0.05) > 190
    assert needed["users"] == 4 and needed["power"] == pytest.approx(power_of(4, 0.1, deviation=0.5, level=0.05))
