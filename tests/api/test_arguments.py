"""Options of verbs: one component or several."""

from __future__ import annotations

from typing import Any

import pytest

import heldout as ho
from heldout.api.arguments import several

TEST, RUN = {"u": {"a": 1}}, {"u": ["b", "a"]}


@pytest.mark.parametrize("metrics", ["P@2", ho.metrics.P(n=2), ["P@2"], (ho.metrics.P(n=2),)], ids=str)
def test_a_metric_needs_no_list(metrics: Any) -> None:
    assert ho.measure(TEST, RUN, metrics).columns == ["user_id", "P@2", "length"]
    assert ho.evaluate(TEST, RUN, metrics).tables["all-leaderboards"].frame["value"].to_list() == [0.5]


def test_a_table_is_one_metric() -> None:
    assert several({"metric": "HLU", "aggregate": "pooled"}) == [{"metric": "HLU", "aggregate": "pooled"}]
    assert several(["P@2", "RR"]) == ["P@2", "RR"]
