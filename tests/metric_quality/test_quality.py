"""How metrics are ranked, and which of them no other beats."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.metric_quality.sample import row

from heldout.metric_quality.quality import ranked, unbeaten


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
    from tests.metric_quality.test_trial import tried

    table = tried().table
    assert table.schema["swap_users"] == table.schema["reliable_users"] == table.schema["depth"] == pl.Int64
    assert table["rank"].is_sorted()


def test_sweeps_are_averaged_without_the_whole_and_the_least_share_is_that_of_an_unbroken_run() -> None:
    from tests.metric_quality.test_trial import tried

    quality = tried()
    for tried_row in quality.rows:
        taus = {p.share: p.tau for p in quality.missing if p.metric == tried_row.metric}
        below = [tau for share, tau in taus.items() if share < 1]
        assert tried_row.missing_tau == pytest.approx(np.nanmean(below))
        kept = [share for share in sorted(taus) if share < 1 and all(taus[s] >= 0.95 for s in taus if s >= share)]
        assert tried_row.missing_low == kept[0] if kept else np.isnan(tried_row.missing_low)
