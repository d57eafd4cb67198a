"""Aggregations on MovieLens 1M beside the figures that others published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.heavy import heavy

import heldout as ho
from heldout.papers.analysis import experiments_of, paper_of
from heldout.papers.canamares2020.rules import TABLE_4
from heldout.papers.canamares2020.works import systems

PRINTED = {
    (row.row, row.column): row.published
    for table in experiments_of(paper_of("canamares-2020"), ["table-4"])
    for row in table.expectations
}
PUBLISHED = {
    (where["metric"], where.get("aggregate", "mean")): (PRINTED[name, "kNN"], PRINTED[name, "MF"])
    for name, where in TABLE_4.items()
}
"""Of kNN and of MF, by metric and aggregation."""
CHANCE = {("nDCG(gain=binary)@10", "mean"), ("P@10", "mean(weight=test)")}
"""Where the paper's own p is above 0.05, so that either may be ahead on another draw of the split."""


@heavy
def test_movielens_1m_of_canamares_2020_table_4(real_data: Callable[[str], Path]) -> None:
    """Random split 0.5, full ranking, τ = 4: kNN within 0.005 of every published value, MF within 0.01; who is ahead as
    published wherever the paper found the difference significant."""
    results = ho.run(
        {
            "data": str(real_data("ml-1m/ratings.dat")),
            "split": "ratio(train=0.5)",
            "recommend": systems(100),
            "relevance": "threshold(4)",
            "target": "AllItems",
            "metrics": ["P@10", "nDCG(gain=binary)@10"],
            "aggregate": ["mean", "mean(weight=test)", "mean(weight=relevant)", "gmean(0.01)"],
            "compare": {"tests": "t", "correction": "none"},
        }
    )
    frame = results.tables["all-leaderboards"].frame.select("system", "metric", "aggregate", "value")
    measured = {(system, metric, aggregate): value for system, metric, aggregate, value in frame.iter_rows()}
    for way, (knn, mf) in PUBLISHED.items():
        found = measured["kNN", *way], measured["MF", *way]
        assert found[0] == pytest.approx(knn, abs=0.005), way
        assert found[1] == pytest.approx(mf, abs=0.01), way
        assert way in CHANCE or (found[0] < found[1]) == (knn < mf), way
