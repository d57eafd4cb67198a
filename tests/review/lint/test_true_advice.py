"""Findings say only what was done, and advise only what is not done already."""

from __future__ import annotations

from typing import Any

import pytest
from tests.review.lint.cases import SPARSE, reviewed

from heldout.catalogue.notices import concern
from heldout.review.lint.finding import Finding, Review

UNTESTED: dict[str, Any] = {"recommend": ["UserKNN(k=5)", "UserKNN(k=6)"], "compare": {"tests": []}}
COLD: dict[str, Any] = {"data": SPARSE, "split": "ratio(train=0.3)"}


def of(review: Review, code: str) -> Finding:
    return next(f for f in review.findings if f.code == code)


def test_without_a_test_no_test_of_ranks_is_blamed() -> None:
    codes = reviewed(UNTESTED, run=False).codes
    assert "HO413" not in codes and "HO409" in codes
    both = of(reviewed({"compare": ["sign", "wilcoxon"]}, run=False), "HO413")
    assert both.message.startswith("sign, wilcoxon ask who wins")


def test_testing_switched_off_is_named() -> None:
    finding = of(reviewed(UNTESTED, run=False), "HO409")
    assert "tests = []" in finding.message and 'tests = ["t", "permutation"]' in finding.change
    assert "`tests = []`" in concern("HO409").explanation


def test_what_was_not_tested_is_not_called_indistinguishable() -> None:
    untested = of(reviewed(UNTESTED, run=True), "HO411").message
    assert "told apart" not in untested and "to find a difference of 5% needs" in untested
    tested = of(reviewed({**UNTESTED, "compare": ["t"]}, run=True), "HO411").message
    assert "are not told apart" in tested


@pytest.mark.parametrize("users", [[["with_test"]], [["with_relevant"], ["all"]]])
def test_users_with_training_ratings_are_advised_beside_what_is_written(users: list[list[str]]) -> None:
    change = of(reviewed({**COLD, "users": users}, run=True), "HO510").change
    for chain in users:
        kept = "".join(f', "{rule}"' for rule in chain if rule != "all")
        assert f'["with_train"{kept}]' in change


def test_users_who_are_not_tested_are_no_cold_users() -> None:
    warm = {**COLD, "users": [["with_train", "with_test"]]}
    finding = of(reviewed(warm, run=True), "HO510")
    assert "users" not in finding.message and "with_train" not in finding.change
    assert "TrainingItems" in finding.change
    assert "HO510" not in reviewed({**warm, "target": "TrainingItems"}, run=True).codes
