"""The studies of Gunawardana and Shani are those that the paper describes."""

from __future__ import annotations

import polars as pl

from heldout.papers.gunawardana2009.rules import ahead_at, hlu, rmse, significant, value
from heldout.papers.gunawardana2009.works import BOUGHT, HLU, ONE_DATA_SET, errors, used
from heldout.papers.paper import MeasuredTables


def test_all_hide_random_numbers_of_items_of_2000_users_and_test_by_signs() -> None:
    for runs in (errors().works[""], used(3), BOUGHT, ONE_DATA_SET.works[""]):
        for study in runs.studies.values():  # type: ignore[attr-defined]
            assert study.keys["split"] == "test_users(2000, then=hide(random))"
            assert study.keys["compare"]["tests"] == "sign"


def test_values_are_means_over_users_and_errors_and_profits_ratios_of_sums() -> None:
    rows = [
        ("curves", "mean", "P@1", 0.1),
        ("curves", "pooled", "P@1", 0.2),
        ("errors", "pooled", "RMSE", 0.3),
        ("curves", "pooled", HLU, 0.4),
    ]
    names = ("study", "aggregate", "metric", "value")
    frame = pl.DataFrame([{"seed": 1, "system": "A", **dict(zip(names, row, strict=True))} for row in rows])
    measured = MeasuredTables({"values": frame})
    assert (value(measured, "A", "P@1"), rmse(measured, "A"), hlu(measured, "A")) == ([0.1], [0.3], [0.4])


PLACE = {"study": "curves", "seed": 1, "aggregate": "mean", "metric": "P@1"}


def test_all_metrics_decide() -> None:
    rows = [{**PLACE, "metric": m, "system": s, "value": v} for m, s, v in (("P@1", "A", 0.2), ("P@1", "B", 0.1))]
    rows += [{**PLACE, "metric": "P@3", "system": s, "value": 0.1} for s in "AB"]
    measured = MeasuredTables({"values": pl.DataFrame(rows)})
    assert ahead_at(measured, "A", "B", ["P@1"]).holds and not ahead_at(measured, "A", "B", ["P@1", "P@3"]).holds


def test_the_named_system_must_be_the_better_for_more_users() -> None:
    pair = {**PLACE, "a": "B", "wins": 2, "losses": 8, "p": 0.01}
    measured = MeasuredTables({"pairs": pl.DataFrame([pair])})
    assert significant(measured, "A", "B", ["P@1"], 0.05).holds
    assert not significant(measured, "A", "B", ["P@1"], 0.005).holds
    other = significant(measured, "B", "A", ["P@1"], 0.05)
    assert not other.holds and other.figures == "p by P@1: 0.01 (A the better for more users)"
