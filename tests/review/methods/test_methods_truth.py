"""Sentences of the experimental section that must be true of the data, the options and the parameters."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import heldout as ho
from heldout.cli.app import app
from heldout.review.methods.parts import Methods
from heldout.words import count

STUDY: dict[str, Any] = {
    "data": "simulate(users=90, items=40, ratings=1500)",
    "filters": [[], ["core(12)"]],
    "split": "ratio(train=0.7, by=user)",
    "recommend": ["Popularity", "UserKNN(k=7)", "ItemKNN"],
    "relevance": "threshold(4)",
    "metrics": ["P@5"],
}


def section(methods: Methods, title: str) -> str:
    own = next(s for s in methods.sections if s.title == title)
    return " ".join(piece for p in own.paragraphs for piece in (p.text, *(f"{i.head}: {i.text}" for i in p.items)))


@pytest.fixture(scope="module")
def results() -> ho.Results:
    return ho.run(STUDY)


def test_the_highest_value_is_the_true_one_however_many_there_are(tmp_path: Path) -> None:
    table = tmp_path / "purchases.csv"
    values = [*range(1, 60), 1331]
    rows = [f"u{k % 6},i{k // 6},{value}" for k, value in enumerate(values)]
    table.write_text("\n".join(["user,item,rating", *rows]) + "\n")
    asked = {**STUDY, "data": str(table), "filters": [[]], "relevance": "threshold(1)"}
    assert "with values from 1 to 1,331" in section(ho.methods(ho.run(asked)), "Data")
    screen = CliRunner().invoke(app, ["data", "describe", str(table)]).stdout
    assert re.search(r"^ *1–67\.5 .* 59 ", screen, re.M), screen
    assert re.search(r"^ *1,264\.5–1,331 .* 1 ", screen, re.M), screen


def test_sizes_are_told_for_each_filter_and_no_folds_are_invented(results: ho.Results) -> None:
    said = section(ho.methods(results), "Splitting")
    assert "fold" not in said and "on average" not in said
    plain, cored = results.facts.splits
    assert plain.train != cored.train
    assert f"Without a filter, there were {count(plain.train)} training and {count(plain.test)} test ratings." in said
    assert f"After `core(k=12)`, there were {count(cored.train)} training and {count(cored.test)} test ratings." in said


def test_folds_are_averaged_within_an_option() -> None:
    results = ho.run({**STUDY, "split": ["folds(3)", "ratio(train=0.7, by=user)"], "filters": [[]]})
    said = section(ho.methods(results), "Splitting")
    own = [f for f in results.facts.splits if f.split.startswith("folds")]
    train, test = sum(f.train for f in own) / 3, sum(f.test for f in own) / 3
    assert f"{count(train)} training and {count(test)} test ratings on average in each of the three folds." in said
    assert said.count("in each of the") == 1


def test_of_parameters_only_what_is_recorded_is_said(results: ho.Results) -> None:
    said = section(ho.methods(results), "Systems")
    assert "beforehand" not in said
    assert (
        "No search for the parameters of UserKNN(k=7) and ItemKNN was recorded: the study sets k = 7 of UserKNN(k=7), "
        "and all their others have their default values."
    ) in said
    plain = section(ho.methods({**STUDY, "recommend": ["Popularity", "ItemKNN"]}), "Systems")
    assert "No search for the parameters of ItemKNN was recorded: all of them have their default values." in plain


def test_metrics_of_distance_say_what_it_is_over() -> None:
    said = section(ho.methods({**STUDY, "metrics": ["P@5", "ILD(features=genres)@10"]}), "Metrics")
    assert "items being compared by the cosine of their features (`genres`)" in said
    said = section(ho.methods({**STUDY, "metrics": ["P@5", "ILD@10"]}), "Metrics")
    assert "items being compared by the cosine of their training ratings" in said
    said = section(ho.methods({**STUDY, "metrics": ["P@5", "Serendipity@10"]}), "Metrics")
    assert "being compared" not in said


def test_every_parameter_of_a_metric_that_is_not_the_default_is_told() -> None:
    said = section(ho.methods({**STUDY, "metrics": ["bpref(negative=nonrelevant)", "P@5"]}), "Metrics")
    assert "(negative = nonrelevant)" in said
