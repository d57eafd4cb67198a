"""Universes of one way of judging, as places in arrays."""

from __future__ import annotations

from typing import Any

from heldout.universes.grid.decisions import NAMES
from heldout.universes.grid.file import multiverse_from
from heldout.universes.grid.grid import Multiverse
from heldout.universes.grid.layout import UniverseLayout, layout

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
