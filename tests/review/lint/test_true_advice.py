"""Findings say only what was done, and advise only what is not done already."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.review.lint.cases import SPARSE, reviewed

import heldout as ho
from heldout import Review
from heldout.catalogue.notices import concern
from heldout.review.lint.finding import Finding

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


MODELS = {"Pop": "Popularity", "A": "UserKNN(k=50)", "B": "EASE"}


def runs_of(length: int, **options: Any) -> Review:
    """The review of popularity under another name, and of neighbours, as runs of so many items."""
    split = ho.split("simulate(users=90, items=200, ratings=4000)", "ratio(train=0.7, by=user)", seed=1)[0]
    names = options.pop("names", ("Pop", "A"))
    runs = {name: ho.recommend(MODELS[name], split.train, n=length) for name in names}
    asked = {"metrics": "nDCG(gain=binary)@5", "relevance": "threshold(4)", "train": split.train, **options}
    return ho.lint(ho.evaluate(split.test, runs, **asked))


@pytest.mark.parametrize("train_known", [True, False])
def test_a_baseline_is_known_by_its_lists_and_not_by_its_name(train_known: bool) -> None:
    known = {} if train_known else {"train": None}
    assert "HO414" not in runs_of(50, **known).codes
    assert "HO414" in runs_of(50, names=("A", "B"), **known).codes
    assert "HO414" not in runs_of(50, names=("A", "B"), compare={"baseline": "A"}, **known).codes


def test_a_name_alone_makes_no_baseline() -> None:
    named = [{"name": "popular random", "model": "UserKNN"}, "EASE"]
    assert "HO414" in reviewed({"recommend": named}, run=False).codes


@pytest.mark.parametrize(("length", "expected"), [(50, 50), (30, 30), (150, 100)])
def test_no_cut_off_beyond_the_lists_of_runs_is_recommended(length: int, expected: int) -> None:
    review = runs_of(length)
    assert of(review, "HO308").change.endswith(f"-m 'nDCG(gain=binary)@{expected}'")
    assert of(review, "HO313").change.endswith(f"-m P@{expected}")
    whole = runs_of(length, metrics=f"P@{length}")
    if length < 50:
        assert of(whole, "HO308").change == f"Judge runs with longer lists: these end at rank {length}."
        assert re.search(rf"@{length}'?$", of(whole, "HO313").change)
    else:
        assert f"@[5, 10, 50{', 100' if length > 100 else ''}]" in of(whole, "HO314").change
    fragile = of(runs_of(length, metrics="RR"), "HO309").change
    assert f"@{expected}" in fragile and str(expected + 1) not in fragile


def test_every_metric_that_was_found_fragile_is_named() -> None:
    metrics = ["nDCG(gain=binary)@10", "RR@10", "AP@10", "bpref", "P@10", "infAP@10", "Recall@10"]
    message = of(reviewed({"metrics": metrics}, run=False), "HO309").message
    assert message.partition(":")[0] == "RR@10, bpref, infAP@10"
