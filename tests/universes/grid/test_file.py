"""Multiverses from study files: what multiplies metrics, and what is refused."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.universes.grid.file import default_keys, multiverse_from

GRID: dict[str, Any] = {
    "data": "simulate(users=40, items=30, ratings=400)",
    "split": "ratio",
    "recommend": ["Popularity", "Random"],
    "metrics": ["P@5", "nDCG@10"],
    "compare": ["t"],
}


def metrics(**keys: Any) -> list[str]:
    return [str(metric) for metric in multiverse_from({**GRID, **keys}).metrics]


def test_cut_offs_and_gain_maps_multiply_metrics_that_name_none() -> None:
    table = {"cutoffs": [5, 10], "gains": ["binary", "exp2"]}
    assert metrics(metrics=["P", "nDCG"], multiverse=table) == [
        "P@5",
        "P@10",
        "nDCG(gain=binary)@5",
        "nDCG(gain=binary)@10",
        "nDCG(gain=exp2)@5",
        "nDCG(gain=exp2)@10",
    ]
    fixed = ["P@3", "nDCG(gain=exp2)", "nDCG@7", "RR"]
    assert metrics(metrics=fixed, multiverse=table) == [
        "P@3",
        "nDCG(gain=exp2)@5",
        "nDCG(gain=exp2)@10",
        "nDCG(gain=binary)@7",
        "nDCG(gain=exp2)@7",
        "RR@5",
        "RR@10",
    ]


def test_an_aggregation_of_its_own_goes_with_a_metric_at_every_cut_off() -> None:
    own = {"metric": "P", "aggregate": "median"}
    multiverse = multiverse_from({**GRID, "metrics": ["nDCG@10", own], "multiverse": {"cutoffs": [5, 10]}})
    tried = {str(m): [str(a) for a in multiverse.study.aggregations(m)] for m in multiverse.metrics}
    assert tried == {"nDCG@10": ["mean"], "P@5": ["median"], "P@10": ["median"]}


def test_seeds_are_those_of_the_table_each_once() -> None:
    assert multiverse_from({**GRID, "multiverse": {"seeds": [3, 1, 3]}}).seeds == (3, 1)
    assert multiverse_from({**GRID, "seed": 7}).seeds == (7,)


def test_rules_that_bound_values_make_no_universe_and_say_so() -> None:
    multiverse = multiverse_from({**GRID, "metrics": "P@5", "unrated": ["zero", "interval"]})
    assert [str(rule) for rule in multiverse.study.unrated] == ["zero"]
    assert multiverse.left_out == ("unrated = interval: its ends bound values and are no contest",)


def test_objectives_follow_their_metric_to_every_cut_off() -> None:
    keys = {"metrics": ["ItemCoverage", "P"], "objectives": ["ItemCoverage"], "multiverse": {"cutoffs": [5, 10]}}
    assert metrics(**keys) == ["ItemCoverage@5", "ItemCoverage@10", "P@5", "P@10"]
    with refused(ho.SpecError, where="metrics", found=["ItemCoverage@5"], hint='objectives = ["ItemCoverage@5"]'):
        multiverse_from({**GRID, "metrics": ["ItemCoverage@5"]})


@pytest.mark.parametrize(
    ("keys", "parts"),
    [
        ({"recommend": ["Random"]}, {"where": "recommend", "found": 1, "expected": "at least two systems"}),
        ({"compare": ["none"]}, {"where": "compare", "expected": "a test"}),
        ({"compare": ["bayes"]}, {"where": "compare", "found": "bayes", "expected": "a test that gives p-values"}),
        (
            {"compare": {"tests": "t", "group": "all"}},
            {"where": "compare.group", "found": "all", "expected": "evaluation"},
        ),
        ({"multiverse": [1]}, {"where": "multiverse", "found": [1], "expected": "a table"}),
        ({"metrics": "P@5", "unrated": "interval"}, {"where": "unrated", "found": ["interval"]}),
    ],
)
def test_what_is_refused(keys: dict[str, Any], parts: dict[str, Any]) -> None:
    with refused(ho.SpecError, **parts):
        multiverse_from({**GRID, **keys})


def test_a_cutoff_is_a_whole_number() -> None:
    for cutoff, place, expected in (
        (True, "multiverse, cutoffs", "a whole number"),
        (5.0, "multiverse, cutoffs", "a whole number"),
        (0, "metrics: multiverse, cutoffs", "a whole number of at least 1"),
    ):
        with pytest.raises(ho.SpecError) as refusal:
            multiverse_from({**GRID, "metrics": "P", "multiverse": {"cutoffs": [cutoff]}})
        problems = {part.where: (part.found, part.expected) for part in refusal.value.parts}
        assert problems[place] == (cutoff, expected)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(ho.HeldoutError) as told:
        multiverse_from({**GRID, "split": "ratioo", "multiverse": {"cutoffs": 5}})
    assert {(part.where, part.found) for part in told.value.parts} == {("split", "ratioo"), ("multiverse, cutoffs", 5)}


def test_what_goes_together_nowhere_is_refused_before_anything_is_read() -> None:
    nowhere = {**GRID, "metrics": ["nDCG@5"], "unrated": ["interval"]}
    with refused(ho.NotApplicableError, where="unrated", hint="P, HitRate, RR, DCG, RBP and ERR have one"):
        multiverse_from(nowhere)
    with refused(ho.SpecError, where="trisk", hint="name one of the systems: trisk"):
        multiverse_from({**GRID, "aggregate": ["mean", "trisk"]})


def test_a_gain_map_that_a_metric_cannot_take_makes_no_universe() -> None:
    keys = {**GRID, "metrics": ["ERR", "nDCG"], "multiverse": {"gains": ["linear", "exp2"], "cutoffs": [10]}}
    made = [str(m) for m in multiverse_from(keys).metrics]
    assert made == ["ERR(gain=exp2)@10", "nDCG@10", "nDCG(gain=exp2)@10"]


def keys_of(users: list[int], values: list[float], **more: Any) -> dict[str, Any]:
    frame = pl.DataFrame({"user": users, "item": range(len(users)), "rating": values, **more})
    keys = default_keys(frame, ["Popularity", "Random"])
    multiverse_from(keys)
    return keys


@pytest.mark.parametrize(
    ("users", "time", "last"),
    [
        ([1, 1, 2, 2], {}, "leave_out(1)"),
        ([1, 1, 1, 2], {}, "leave_out(1, short=train)"),
        ([1, 1, 2, 2], {"timestamp": [1, 2, 3, 4]}, "temporal(by=user, last=1)"),
        ([1, 1, 1, 2], {"timestamp": [1, 2, 3, 4]}, "temporal(by=user, last=1, short=train)"),
    ],
)
def test_a_user_with_one_rating_does_not_end_it(users: list[int], time: dict[str, Any], last: str) -> None:
    assert keys_of(users, [1, 3, 4, 5], **time)["split"][-1] == last


def test_ratings_below_0_are_no_gains() -> None:
    assert keys_of([1, 1, 2, 2], [1, 3, 4, 5])["multiverse"]["gains"] == ["binary", "linear", "exp2"]
    assert keys_of([1, 1, 2, 2], [-2, -1, 1, 2])["multiverse"]["gains"] == ["binary"]
