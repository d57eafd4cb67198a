"""Who leads by every metric, and what a sign test says of both directions."""

from __future__ import annotations

import polars as pl

from heldout.papers.gunawardana2009.leads import ahead_at, significant
from heldout.papers.paper import MeasuredTables

PLACE = {"study": "curves", "seed": 1, "aggregate": "mean", "metric": "P@1"}


def test_all_metrics_decide() -> None:
    rows = [{**PLACE, "metric": m, "system": s, "value": v} for m, s, v in (("P@1", "A", 0.2), ("P@1", "B", 0.1))]
    rows += [{**PLACE, "metric": "P@3", "system": s, "value": 0.1} for s in "AB"]
    measured = MeasuredTables({"values": pl.DataFrame(rows)})
    assert ahead_at("A", "B", ["P@1"])(measured).holds and not ahead_at("A", "B", ["P@1", "P@3"])(measured).holds


def test_the_named_system_must_be_the_better_for_more_users() -> None:
    pair = {**PLACE, "a": "B", "wins": 2, "losses": 8, "p": 0.01}
    measured = MeasuredTables({"pairs": pl.DataFrame([pair])})
    assert significant("A", "B", ["P@1"], 0.05)(measured).holds
    assert not significant("A", "B", ["P@1"], 0.005)(measured).holds
    other = significant("B", "A", ["P@1"], 0.05)(measured)
    assert not other.holds and other.figures == "p by P@1: 0.01 (A the better for more users)"
