"""`measure`: a row for every test user."""

from __future__ import annotations

import pytest

import heldout as ho
from heldout.errors import SpecError

# --- measure


def test_every_test_user_has_a_row() -> None:
    test = {"user": ["u", "u", "v", "w"], "item": ["a", "b", "a", "c"], "rating": [1, 1, 1, 1]}
    scores = ho.measure(test, {"u": ["a", "x", "b"], "w": ["x"]}, ["P@2", "RR"])
    assert scores.rows() == [("u", 0.5, 1.0, 3), ("v", 0.0, 0.0, 0), ("w", 0.0, 0.0, 1)]


def test_an_undefined_value_is_null() -> None:
    test = {"user": ["u", "v"], "item": ["a", "a"], "rating": [5, 1]}
    scores = ho.measure(test, {"u": ["a"], "v": ["a"]}, "Recall@1", relevance="threshold(4)")
    assert scores["Recall@1"].to_list() == [1.0, None]


def test_what_measure_refuses() -> None:
    test = {"user": ["u"], "item": ["a"], "rating": [1]}
    with pytest.raises(SpecError, match="the lists of one system"):
        ho.measure(test, {"A": {"u": {"a": 1.0}}, "B": {"u": {"a": 1.0}}})
    with pytest.raises(SpecError, match="has one value for all users"):
        ho.measure(test, {"u": ["a"]}, ["P@1", "ItemCoverage@1"])
    with pytest.raises(SpecError, match="2 options"):
        ho.measure(test, {"u": ["a"]}, ties=["item", "trec"])
