"""The record: its tables, how metrics are ranked, which of them no other beats, and which agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.metric_quality.sample import row
from tests.metric_quality.test_analysis import tried
from tests.reports.metric_trial import trial

from heldout.metric_quality.analysis import agreement
from heldout.metric_quality.findings import ranked, unbeaten


def test_the_rank_is_the_mean_of_the_places() -> None:
    rows = [
        row("a", mean_p=0.01, missing_tau=0.9),  # places 1 and 2
        row("b", mean_p=0.02, missing_tau=0.95),  # 2 and 1
        row("c", mean_p=0.03, missing_tau=float("nan")),  # 3 and 3: without a figure it is last
    ]
    assert [(r.metric, r.rank) for r in ranked(rows, ("mean_p", "missing_tau"))] == [("a", 1.5), ("b", 1.5), ("c", 3.0)]
    assert [r.metric for r in ranked(rows, ("missing_tau",))] == ["b", "a", "c"]


def test_what_nothing_beats() -> None:
    criteria = ("mean_p", "missing_tau")
    strong, robust = row("a", mean_p=0.01, missing_tau=0.8), row("b", mean_p=0.02, missing_tau=0.9)
    beaten = row("c", mean_p=0.02, missing_tau=0.85)  # as strong as b, less robust
    unknown = row("d", mean_p=0.001, missing_tau=float("nan"))
    assert unbeaten([strong, beaten, robust, unknown], criteria) == ("a", "b")
    assert unbeaten([strong, replace(strong, metric="e")], criteria) == ("a", "e")  # neither beats its equal


@pytest.mark.parametrize("criterion", ["mean_p", "missing_tau"])
def test_by_one_criterion_the_best_is_left(criterion: str) -> None:
    rows = [row("a", mean_p=0.01, missing_tau=0.9), row("b", mean_p=0.02, missing_tau=0.8)]
    assert unbeaten(rows, (criterion,)) == ("a",)


def test_the_table_has_whole_numbers_where_some_are_missing() -> None:
    table = tried().table
    assert table.schema["swap_users"] == table.schema["reliable_users"] == table.schema["depth"] == pl.Int64
    assert table["rank"].is_sorted()


def test_sweeps_are_averaged_without_the_whole_and_the_least_share_is_that_of_an_unbroken_run() -> None:
    quality = tried()
    for tried_row in quality.rows:
        taus = {p.share: p.tau for p in quality.missing if p.metric == tried_row.metric}
        below = [tau for share, tau in taus.items() if share < 1]
        assert tried_row.missing_tau == pytest.approx(np.nanmean(below))
        kept = [share for share in sorted(taus) if share < 1 and all(taus[s] >= 0.95 for s in taus if s >= share)]
        assert tried_row.missing_low == kept[0] if kept else np.isnan(tried_row.missing_low)


def test_tables_hold_what_the_record_holds() -> None:
    quality = tried()
    pairs = quality.agreement_table
    assert pairs.select("between", "of", "first", "second").rows() == [
        ("metrics", "@5", "P", "nDCG"), ("depths", "nDCG", "5", "20"),
    ]  # fmt: skip
    assert pairs["tau"][0] == quality.between_metrics[0].tau[0][1]
    power = quality.power_table
    assert power["metric"].to_list() == [row.metric for row in quality.power]
    assert power["curve"].list.sum().to_list() == [sum(row.curve) for row in quality.power]
    swaps = quality.swap_table
    assert swaps.filter(pl.col("bin").is_null())["rate"].to_list() == [row.rate for row in quality.swaps]
    assert len(swaps.filter(pl.col("bin").is_not_null())) == sum(len(row.bins) for row in quality.swaps)
    assert quality.reliability_table["relative"].to_list() == [row.relative for row in quality.reliability]


MEANS = np.array(
    [
        [5.0, 4.0, 3.0, 2.0, 1.0],
        [1.0, 2.0, 3.0, 4.0, 5.0],
        [50.0, 40.0, 30.0, 20.0, 10.0],
        [5.0, 4.0, 3.0, 1.0, 2.0],
    ]
)
"""The first and the third order the systems alike, the fourth exchanges two neighbours, the second turns all round."""


def test_the_tree_groups_what_says_the_same() -> None:
    matrix = agreement("@10", ["a", "b", "c", "d"], MEANS, tree=True)
    # One exchange among 10 pairs: τ = 1 − 2/10.
    assert matrix.tau[0] == pytest.approx((1.0, -1.0, 1.0, 0.8))
    assert [set(group) for group in matrix.groups()] == [{"a", "c"}]
    assert [set(group) for group in matrix.groups(0.8)] == [{"a", "c", "d"}]
    assert agreement("@10", ["a", "b"], MEANS[:2], tree=True).groups() == []


def test_the_least_alike_are_named() -> None:
    assert agreement("@10", ["a", "b", "c"], MEANS[:3], tree=True).least_alike == ("a", "b", pytest.approx(-1.0))
    tied = np.ones((2, 5))
    assert agreement("m", ["5", "10"], tied, tree=False).least_alike is None


def test_rows_by_metric_and_by_depth() -> None:
    quality = trial()
    assert quality.names == ["P", "nDCG", "<b>&", "AUC"]
    assert quality.depths == [5, 10, None]
    assert [row.metric for row in quality.at_depth(10)] == ["P@10", "nDCG@10", "<b>&@10"]
    assert [row.depth for row in quality.of_name("nDCG")] == [5, 10]
    assert quality.main_depth == 10  # as many metrics as at 5, and deeper
    assert [row.metric for row in quality.first_depths] == ["P@10", "nDCG@10", "<b>&@10", "AUC"]
    matrix = quality.between_metrics_at(5)
    assert matrix is not None and matrix.title == "@5" and quality.between_metrics_at(None) is None
