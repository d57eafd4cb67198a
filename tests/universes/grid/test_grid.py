"""Which combinations are universes: what metrics declare of relevance holds for every metric of the catalogue."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.refusals import refused

import heldout as ho
from heldout.catalogue import classes, make_all
from heldout.errors import HeldoutError, SpecError
from heldout.metrics.metric import Metric
from heldout.study.compatibility import asks_relevance
from heldout.universes.compute.explore import explore
from heldout.universes.grid.decisions import NAMES
from heldout.universes.grid.file import multiverse_from
from heldout.universes.grid.grid import Multiverse, UniverseLayout, layout, parts_of


def _asked() -> list[Metric]:
    """Every metric that says which system is better, with binary and graded gains where it has a gain map."""
    found: list[Metric] = []
    for cls in classes("metric"):
        for text in (f"{cls.key}(gain=exp2)@10", f"{cls.key}(gain=binary)@10", f"{cls.key}@10", cls.key):
            try:
                made = make_all("metric", text)
            except HeldoutError:  # it has no gain map, or no cut-off
                continue
            found += made
            if "exp2" not in text:
                break
    return [m for m in found if m.direction != "none"]


@pytest.fixture(scope="module")
def tables() -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Judgements, a run and a training set of 40 users."""
    draw, n = np.random.default_rng(0), 40
    test = pl.DataFrame(
        {
            "user_id": np.repeat(np.arange(n), 8),
            "item_id": np.concatenate([draw.choice(60, 8, replace=False) for _ in range(n)]),
            "rating": draw.integers(1, 6, n * 8).astype(np.float64),
            "utility": draw.random(n * 8),
        }
    )
    run = pl.DataFrame(
        {
            "user_id": np.repeat(np.arange(n), 80),
            "item_id": np.concatenate([draw.permutation(80) for _ in range(n)]),
            "score": draw.random(n * 80),
        }
    )
    train = pl.DataFrame({"user_id": draw.integers(0, n, 300), "item_id": draw.integers(60, 80, 300), "rating": 4.0})
    return test, run, train.unique(["user_id", "item_id"])


@pytest.mark.parametrize("metric", _asked(), ids=str)
def test_a_metric_that_does_not_ask_for_relevance_is_the_same_under_any_rule(
    metric: Metric, tables: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]
) -> None:
    test, run, train = tables
    if metric.key in ("ILD", "Serendipity"):
        pytest.skip("it needs a table of items")
    values = [
        ho.evaluate(test, {"a": run}, [metric], relevance=f"threshold({tau})", train=train, scores="ratings").per_user()
        for tau in (3, 5)
    ]
    same = np.array_equal(*(frame[str(metric)].to_numpy() for frame in values), equal_nan=True)
    assert same != asks_relevance(metric)


def test_a_metric_joins_three_decisions() -> None:
    made = [parts_of(m) for m in make_all("metric", "nDCG(gain=exp2, discount=zipf)@[5, 10]")]
    assert made[0] == {"metric": "nDCG(discount=zipf)", "cutoff": "5", "gain": "exp2"}
    assert made[1]["cutoff"] == "10"
    assert parts_of(make_all("metric", "AP")[0]) == {"metric": "AP", "cutoff": None, "gain": None}


DIVIDED: dict[str, Any] = {
    "data": "simulate(users=60, items=40, ratings=900)",
    "split": "ratio(train=0.6)",
    "recommend": ["Popularity", "Random"],
    "metrics": ["P@5"],
    "development": 0.5,
}


@pytest.mark.parametrize("group", ["development", "all"])
def test_users_on_whom_systems_are_chosen_are_not_compared(group: str) -> None:
    with refused(SpecError, where="compare.group", found=group, expected="evaluation"):
        multiverse_from(DIVIDED | {"compare": {"tests": ["t"], "group": group}})


def test_of_divided_users_the_evaluation_group_is_compared() -> None:
    divided = explore(multiverse_from(DIVIDED | {"compare": {"tests": ["t"], "group": "evaluation"}})).universes.to_polars()
    whole = explore(multiverse_from({**DIVIDED, "development": None, "compare": "t"})).universes.to_polars()
    pair = ho.run(DIVIDED | {"compare": {"tests": ["t"], "group": "evaluation"}}).findings.comparisons[0]
    assert pair.users == 30
    for row, same in ((divided, True), (whole, False)):
        assert (abs(row["difference"][0] - pair.difference) < 1e-12) is same
        assert (abs(row["p"][0] - pair.p) < 1e-12) is same


GRID: dict[str, Any] = {
    "data": "simulate(users=40, items=30, ratings=400)",
    "split": "ratio",
    "recommend": ["Popularity", "Random"],
    "relevance": ["threshold(4)", "threshold(5)"],
    "metrics": ["RMSE", "nDCG(gain=exp2)@5", "P@5"],
    "aggregate": ["mean", "mean(weight=relevant)"],
    "undefined": ["zero", "skip"],
    "coverage": ["zero", "forgive"],
    "compare": ["t", "wilcoxon"],
}


def places(multiverse: Multiverse, *, again: bool = False) -> UniverseLayout:
    (target,) = multiverse.study.target
    return layout(multiverse, multiverse.metrics, tuple(reversed(multiverse.metrics)), target, again=again)


def choices(multiverse: Multiverse, universes: UniverseLayout) -> list[tuple[str | None, ...]]:
    """The choices of every universe, read off its codes."""
    inner = NAMES[-7:]
    levels = {decision.name: decision.levels for decision in multiverse.decisions}
    return [
        tuple(None if code < 0 else levels[name][code] for name, code in zip(inner, row, strict=True))
        for row in universes.codes.tolist()
    ]


def test_codes_are_the_levels_of_the_decisions_and_places_those_of_the_arrays() -> None:
    multiverse = multiverse_from({**GRID, "recommend": ["AverageRating", "SVD(factors=2)"]})
    universes = places(multiverse)
    chosen = choices(multiverse, universes)
    assert len(chosen) == len(set(chosen)) == len(universes)
    study, measured = multiverse.study, tuple(reversed(multiverse.metrics))
    for k, (metric, cutoff, gain, aggregate, undefined, coverage, test) in enumerate(chosen):
        of_place = str(measured[universes.metric[k]])
        assert of_place.startswith(str(metric).partition("(")[0])
        assert (gain, cutoff) == {"R": (None, None), "n": ("exp2", "5"), "P": (None, "5")}[of_place[0]]
        options = {
            "aggregate": (aggregate, study.all_aggregations),
            "undefined": (undefined, study.undefined),
            "coverage": (coverage, study.coverage),
            "test": (test, study.compare.tests),
        }
        for name, (text, every) in options.items():
            place = int(getattr(universes, name)[k])
            assert text == (None if place < 0 else str(every[place]))


def test_errors_have_no_rule_for_what_is_undefined() -> None:
    multiverse = multiverse_from({**GRID, "recommend": ["AverageRating", "SVD(factors=2)"]})
    of_errors = [choice for choice in choices(multiverse, places(multiverse)) if choice[0] == "RMSE"]
    assert of_errors and {choice[4] for choice in of_errors} == {None}


def test_under_another_rule_of_relevance_only_what_asks_for_it_is_there_again() -> None:
    """RMSE and graded gains ask for no relevance, and are there again only where users weigh by their relevant ratings."""
    multiverse = multiverse_from({**GRID, "recommend": ["AverageRating", "SVD(factors=2)"]})
    first, again = (choices(multiverse, places(multiverse, again=again)) for again in (False, True))
    assert set(again) < set(first)
    gone = {choice for choice in first if choice not in again}
    assert {choice[0] for choice in gone} == {"RMSE", "nDCG"} and {choice[3] for choice in gone} == {"mean"}


def test_a_layout_is_made_once() -> None:
    multiverse = multiverse_from({**GRID, "metrics": ["P@5"]})
    assert places(multiverse) is places(multiverse)
    assert len(layout(multiverse, (), (), multiverse.study.target[0], again=False)) == 0
