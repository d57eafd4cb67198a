"""Users that a pair needs, from the spread of users' differences."""

from __future__ import annotations

from dataclasses import replace

import pytest

import heldout as ho
from heldout.analysis.needed_users import needed_users
from heldout.significance.power import power_of, users_needed

TEST = {"u": {"a": 1}, "v": {"a": 1}, "w": {"a": 1}, "x": {"a": 1}}


def test_the_spread_is_told_by_difference_and_effect() -> None:
    """Differences 1, 1, 1 and 0 have mean 3/4 and deviation 1/2: a difference of 1/10 is a fifth of it."""
    runs = {"A": {u: ["a"] for u in TEST}, "B": {u: ["a" if u == "x" else "b"] for u in TEST}}
    [pair] = ho.evaluate(TEST, runs, "P@1", compare="t").facts.comparisons
    needed = needed_users(pair, 0.1, power=0.8, level=0.05)
    assert needed is not None and needed.deviation == pytest.approx(0.5) and needed.d == pytest.approx(0.2)
    assert needed.users_needed == users_needed(0.1, deviation=needed.deviation, power=0.8, level=0.05) > 190
    assert needed.users == 4 and needed.power == power_of(4, 0.1, deviation=needed.deviation, level=0.05)
    assert needed_users(replace(pair, effect=0.0), 0.1, power=0.8, level=0.05) is None
