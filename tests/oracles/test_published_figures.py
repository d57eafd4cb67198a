"""Figures that others published, measured again on their data."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.heavy import heavy

import heldout as ho
from heldout.papers.analysis import experiments_of, paper_of


def test_movielens_1m_popularity_on_the_split_of_valcarce_2018(real_data: Callable[[str], Path]) -> None:
    """Nothing is tuned, so every figure must come out to the fourth digit; their lists are 100 deep."""
    ratings = real_data("ml-1m/ratings.dat")
    qrels = real_data("../anchors/valcarce-2018/qrels-ml-1M.txt.gz")
    with real_data("../anchors/valcarce-2018/systems-ml-1M.csv").open() as file:
        published = next(row for row in csv.DictReader(file) if row["system"] == "Pop")
    ours = {
        **{f"P@{n}": f"P_{n}" for n in (5, 10, 100)},
        "Recall@100": "recall_100",
        **{f"nDCG@{n}": f"ndcg_cut_{n}" for n in (5, 10, 100)},
        "AP@100": "map_cut_100",
        "RR@100": "recip_rank",
        "bpref@100": "bpref",
        "infAP@100": "infAP2",
    }
    results = ho.run(
        {
            "data": str(ratings),
            "split": f'given(test="{qrels}")',
            "recommend": "Popularity",
            "relevance": "threshold(4)",
            "target": "AllItems",
            "metrics": list(ours),
        }
    )
    measured = dict(results.tables["all-leaderboards"].frame.select("metric", "value").iter_rows())
    assert {name: f"{measured[name]:.4f}" for name in ours} == {
        name: f"{float(published[column]):.4f}" for name, column in ours.items()
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_movielens_1m_user_knn_of_canamares_2020_table_2(real_data: Callable[[str], Path], seed: int) -> None:
    """Random split 0.5, full ranking, τ = 4: Prec@10 and NDCG@10 (g1)."""
    results = ho.run(
        {
            "data": str(real_data("ml-1m/ratings.dat")),
            "split": "ratio(train=0.5)",
            "seed": seed,
            "recommend": "UserKNN(k=100, similarity=cosine)",
            "relevance": "threshold(4)",
            "target": "AllItems",
            "metrics": ["P@10", "nDCG(gain=binary)@10"],
        }
    )
    measured = dict(results.tables["all-leaderboards"].frame.select("metric", "value").iter_rows())
    [table] = experiments_of(paper_of("canamares-2020"), ["table-2"])
    published = {row.row: row.published for row in table.expectations if row.column == "kNN"}
    assert measured["P@10"] == pytest.approx(published["Prec@10"], abs=0.006)
    assert measured["nDCG(gain=binary)@10"] == pytest.approx(published["NDCG@10"], abs=0.006)


@heavy
def test_movielens_1m_positions_in_the_full_ranking_of_canamares_2020_figure_5(real_data: Callable[[str], Path]) -> None:
    """The first three scored test items stand within rank 10 on average, the tenth beyond rank 50."""
    results = ho.run(
        {
            "data": str(real_data("ml-1m/ratings.dat")),
            "split": "ratio(train=0.5)",
            "recommend": ["UserKNN(k=100)", "WRMF(factors=50, l2=10, alpha=1, target=rating)"],
            "relevance": "threshold(4)",
            "target": "AllItems",
            "metrics": ["P@10", "FullPosition@[1, 2, 3, 10]"],
            "compare": "t",
        }
    )
    rows = results.findings.diagnostics
    assert len({row.users for row in rows}) == 1
    assert all(value is not None and value < 10 for row in rows[:3] for value in row.values)
    assert rows[3].values == pytest.approx((75, 118), abs=4)
