"""Tables of a trial."""

from __future__ import annotations

import polars as pl
from tests.metric_quality.test_trial import tried

from heldout.metric_quality.frames import agreement_table, power_table, reliability_table, swap_table


def test_tables_hold_what_the_record_holds() -> None:
    quality = tried()
    agreement = agreement_table(quality)
    assert agreement.select("between", "of", "first", "second").rows() == [
        ("metrics", "@5", "P", "nDCG"), ("depths", "nDCG", "5", "20"),
    ]  # fmt: skip
    assert agreement["tau"][0] == quality.between_metrics[0].tau[0][1]
    power = power_table(quality)
    assert power["metric"].to_list() == [row.metric for row in quality.power]
    assert power["curve"].list.sum().to_list() == [sum(row.curve) for row in quality.power]
    swaps = swap_table(quality)
    assert swaps.filter(pl.col("bin").is_null())["rate"].to_list() == [row.rate for row in quality.swaps]
    assert len(swaps.filter(pl.col("bin").is_not_null())) == sum(len(row.bins) for row in quality.swaps)
    assert reliability_table(quality)["relative"].to_list() == [row.relative for row in quality.reliability]
