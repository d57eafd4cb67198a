"""Aggregations on MovieLens 1M beside the figures that others published."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import heldout as ho

PUBLISHED = {
    ("P@10", "mean"): 0.416,
    ("nDCG(gain=binary)@10", "mean"): 0.452,
    ("P@10", "mean(weight=test)"): 0.591,
    ("nDCG(gain=binary)@10", "mean(weight=test)"): 0.619,
    ("P@10", "mean(weight=relevant)"): 0.597,
    ("nDCG(gain=binary)@10", "mean(weight=relevant)"): 0.625,
    ("P@10", "gmean"): 0.294,
    ("nDCG(gain=binary)@10", "gmean"): 0.320,
}


def test_movielens_1m_user_knn_of_canamares_2020_table_4(real_data: Callable[[str], Path]) -> None:
    """Random split 0.5, full ranking, τ = 4, k = 100 by cosine: each within 0.01 of the published value."""
    results = ho.run(
        {
            "data": str(real_data("ml-1m/ratings.dat")),
            "split": "ratio(train=0.5)",
            "recommend": "UserKNN(k=100, similarity=cosine)",
            "relevance": "threshold(4)",
            "target": "AllItems",
            "measure": ["P@10", "nDCG(gain=binary)@10"],
            "aggregate": ["mean", "mean(weight=test)", "mean(weight=relevant)", "gmean(0.01)"],
        }
    )
    frame = results.leaderboard.select("metric", "aggregate", "value")
    measured = {(metric, aggregate): value for metric, aggregate, value in frame.iter_rows()}
    assert measured == {way: pytest.approx(value, abs=0.01) for way, value in PUBLISHED.items()}
