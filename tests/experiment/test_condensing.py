"""AllItems with unrated=condense ranks what TestRatings ranks: all that is told of the two must be the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from polars.testing import assert_frame_equal
from tests.refusals import refused

import heldout as ho
from heldout.catalogue import classes, make
from heldout.errors import HeldoutError, NotApplicableError

CODED = ("setting", "target", "unrated")
"""What tells the two protocols apart."""


OTHERS = ("RMSE", "MAE", "MSE", "NMAE", "GROC", "GPR", "Utility")
"""Metrics that need ratings predicted, scores of users that can be compared, or a column of utilities."""


def metrics() -> list[str]:
    """Every metric of the catalogue that looks at rated items alone, at depth 3 where it has a depth."""
    names = []
    for cls in classes("metric"):
        if cls.__module__.startswith("heldout.metrics.") and not cls.needs_lists and cls.key not in OTHERS:
            for text in (f"{cls.key}@3", cls.key):
                try:
                    names.append(str(make("metric", text)))
                except HeldoutError:
                    continue
                break
    return names


def results(target: str, unrated: str, fallback: str, **keys: Any) -> ho.Results:
    return ho.run(
        {
            "data": "simulate(users=80, items=60, ratings=900)",
            "split": "ratio(train=0.6)",
            "recommend": ["UserKNN(k=1)", "PearsonUserKNN(k=3)"],
            "target": target,
            "unrated": unrated,
            "fallback": fallback,
            "coverage": ["zero", "forgive", "intersection"],
            "compare": ["t"],
            **keys,
        }
    )


@pytest.mark.parametrize("fallback", ["none", "popularity"])
def test_every_number_is_that_of_the_test_ratings_alone(fallback: str) -> None:
    asked = metrics()
    assert len(asked) > 25
    one, other = (results(*way, fallback, metrics=asked) for way in (("AllItems", "condense"), ("TestRatings", "zero")))
    for table in ("all-leaderboards", "all-comparisons"):
        first, second = (found.tables[table].frame.drop(*CODED, strict=False) for found in (one, other))
        assert_frame_equal(first, second)
    for first, second in zip(one.findings.diagnostics, other.findings.diagnostics, strict=True):
        assert first.values == pytest.approx(second.values, nan_ok=True)


def test_coverage_before_a_fallback_is_the_same_with_it() -> None:
    found = {
        f: results("AllItems", "condense", f, metrics="P@3").tables["all-leaderboards"].frame for f in ("none", "popularity")
    }
    before = found["none"]["user_coverage", "coverage_at_n"]
    assert before.equals(found["popularity"]["user_coverage", "coverage_at_n"])
    assert before["user_coverage"].max() < 1
    assert found["popularity"]["coverage_ranked_at_n"].min() > found["none"]["coverage_ranked_at_n"].max()


TEST = {"user": ["u"] * 4, "item": ["a", "b", "c", "d"], "rating": [5, 5, 1, 1]}
TRAIN = {"user": ["v"] * 3, "item": ["b", "c", "e"], "rating": [5, 5, 5]}
RUN = {"user": ["u"] * 3, "item": ["c", "e", "b"], "score": [3, 2, 1]}


@pytest.mark.parametrize(("metric", "value"), [("AUC", 0.0), ("Rho", 1 / 2), ("Rho@1", 1 / 2), ("AUC(snips)", 0.0)])
def test_items_that_are_no_targets_are_not_counted(metric: str, value: float) -> None:
    """Of the test items only b and c have a training rating: b, the relevant one, is below c."""
    found = ho.evaluate(
        TEST, {"A": RUN}, ["P@1", metric], train=TRAIN, target="TrainingItems", unrated="condense", relevance="threshold(4)"
    )
    outcome = found._source
    assert outcome is not None
    scores = outcome.parts[0].scores[0]
    assert scores.column(str(make("metric", metric)))[0] == pytest.approx(value)
    assert scores.length[0] == 2


def test_one_list_of_all_pairs_holds_rated_items_alone() -> None:
    """u: the relevant a at 3, the low b at 1; v: the relevant a at 2. Unrated items would stand between them."""
    test = {"user": ["u", "u", "v"], "item": ["a", "b", "a"], "rating": [5, 1, 5]}
    run = {"user": ["u"] * 3 + ["v"] * 2, "item": ["x", "a", "b", "y", "a"], "score": [9.0, 3, 1, 8, 0.5]}
    found = ho.evaluate(test, {"A": run}, "GROC", unrated="condense", scores="comparable", relevance="threshold(4)")
    assert found.tables["all-leaderboards"].frame["value"][0] == pytest.approx(
        1 / 2
    )  # of a at 3 and a at 0.5, one is above b at 1


def test_metrics_of_whole_lists_refuse() -> None:
    with refused(NotApplicableError, where="metrics", hint="use unrated=zero"):
        ho.evaluate(TEST, {"A": RUN}, "ItemCoverage@3", train=TRAIN, unrated="condense", relevance="threshold(4)")
    assert np.isfinite(
        ho.evaluate(TEST, {"A": RUN}, "ItemCoverage@3", train=TRAIN).tables["all-leaderboards"].frame["value"][0]
    )
