"""Decisions that exist only under options of others."""

from __future__ import annotations

import numpy as np
from tests.universes.findings.grids import made
from tests.universes.findings.test_anova import NESTED

from heldout.universes.findings.nesting import closure, parents, tops


def test_a_gain_map_is_nested_in_its_metric():
    universes = made(NESTED, lambda row: 0.0)
    above = parents(universes.codes, universes.varying)
    names = [one.name for one in universes.decisions]
    assert {names[k]: {names[p] for p in found} for k, found in above.items()} == {
        "target": set(),
        "metric": set(),
        "cutoff": set(),
        "gain": {"metric"},
    }
    gain, metric, cutoff = (universes.decision(name) for name in ("gain", "metric", "cutoff"))
    assert closure([gain], above) == {gain, metric}
    assert tops(frozenset({gain, metric, cutoff}), above) == {gain, cutoff}


def test_tests_that_do_not_fit_an_aggregation_are_nested_in_it_alone():
    fits = lambda row: row["aggregate"] != "median" or row["test"] == "sign"  # noqa: E731
    levels = {"aggregate": ["mean", "median"], "test": ["t", "sign"], "metric": ["P", "Recall"], "cutoff": ["5", "10"]}
    universes = made(
        levels, lambda row: 0.0, keep=lambda row: fits(row) and (row["metric"] != "P" or row["aggregate"] == "mean")
    )
    above = parents(universes.codes, universes.varying)
    names = [one.name for one in universes.decisions]
    assert {names[k]: {names[p] for p in found} for k, found in above.items() if found} == {
        "aggregate": {"metric"},
        "test": {"aggregate"},  # the tests depend on the metric too, but only through the aggregation
    }


def test_one_missing_universe_of_many_makes_no_dependence():
    levels = {
        "seed": [str(k) for k in range(1, 9)],
        "cutoff": [str(k) for k in range(1, 21)],
        "target": ["AllItems", "TestItems", "TestRatings"],
    }
    universes = made(levels, lambda row: 0.0)
    rows = np.ones(len(universes), dtype=bool)
    rows[77] = False
    assert len(universes) == 480
    assert set(parents(universes.only(rows).codes, universes.varying).values()) == {frozenset()}
