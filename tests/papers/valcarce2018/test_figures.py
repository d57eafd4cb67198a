"""Series of figures, from tables small enough to check."""

from __future__ import annotations

import polars as pl

from heldout.papers.paper import MeasuredTables
from heldout.papers.valcarce2018.figures import agreement_between, power_of, sweep_of

MEASURED = MeasuredTables(
    {
        "agreement": pl.DataFrame({"between": ["depths"], "of": ["P"], "first": ["5"], "second": ["10"], "tau": [0.8]}),
        "sweeps": pl.DataFrame(
            {"sweep": ["popularity"] * 2, "metric": ["P@5"] * 2, "share": [0.8, 1.0], "tau": [float("nan"), 1.0]}
        ),
        "power": pl.DataFrame({"metric": ["P@5"], "curve": [[0.0, 0.1, 0.9, 0.0]]}),
    }
)


def test_each_label_has_a_line_with_1_at_itself() -> None:
    [panel] = agreement_between("depths", "P", ("5", "10"), "cut-off")(MEASURED)
    assert [(series.name, series.y) for series in panel.series] == [("5", (1.0, 0.8)), ("10", (0.8, 1.0))]
    assert panel.ticks == ("5", "10")


def test_a_sweep_begins_with_the_whole_and_leaves_gaps_where_there_is_no_order() -> None:
    [panel] = sweep_of("popularity", {"P@5": "P"}, "% of the items kept")(MEASURED)
    assert [(series.name, series.x, series.y) for series in panel.series] == [("P", (100.0, 80.0), (1.0, None))]


def test_the_highest_p_value_comes_first() -> None:
    [panel] = power_of({"P@5": "P"})(MEASURED)
    assert panel.series[0].y == (0.9, 0.1, 0.0) and panel.series[0].x == (1.0, 2.0, 3.0)
