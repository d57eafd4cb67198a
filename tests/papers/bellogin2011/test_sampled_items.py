"""The number of sampled items: a rule on figures made up for it, and the experiment on simulated data."""

from __future__ import annotations

import polars as pl
from tests.papers.declared import claims
from tests.papers.simulated import bench

from heldout.papers.analysis import claim_row, paper_findings
from heldout.papers.bellogin2011.paper import PAPER
from heldout.papers.bellogin2011.works import METRICS, SAMPLED, SPLITS, SYSTEMS
from heldout.papers.paper import MeasuredTables


def _measured(last: float) -> MeasuredTables:
    """Values that fall from 0.3 to 0.2 and then to `last`."""
    rows = [
        {"study": split, "seed": 1, "system": system, "metric": metric, "target": f"OnePlusRandom(nonrelevant={n})"}
        | {"value": value}
        for split in SPLITS
        for system in SYSTEMS
        for metric in METRICS
        for n, value in zip(SAMPLED, (0.3, 0.2, last), strict=True)
    ]
    return MeasuredTables({"values": pl.DataFrame(rows).sample(fraction=1, shuffle=True, seed=1)})


def test_values_must_fall_at_every_step() -> None:
    claim = claims(PAPER)["fewer-with-more-sampled"]
    assert claim_row(claim, _measured(0.1), ()).verdict == "holds"
    row = claim_row(claim, _measured(0.25), ())
    assert row.verdict == "does not hold here"
    assert "D1 P@50 of UB50: 0.3000, 0.2000, 0.2500 with 100, 300, 1000" in row.figures


def test_lines_run_over_the_sizes_on_simulated_data() -> None:
    [record] = paper_findings(PAPER, ["one-plus-random"], bench()).experiments
    assert len(record.panels) == len(SPLITS) * len(METRICS)
    assert all(series.x == (10.0, 20.0, 40.0) for panel in record.panels for series in panel.series)
    assert record.claims[0].verdict in ("holds", "does not hold here")
