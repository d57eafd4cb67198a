"""Bellogín et al. 2017 on simulated data: every experiment runs, every figure is drawn, every claim is judged."""

from __future__ import annotations

import math

from tests.papers.simulated import bench

from heldout.papers.analysis import paper_findings
from heldout.papers.bellogin2017.paper import PAPER


def test_all_experiments_run_and_all_claims_are_judged() -> None:
    keys = [experiment.key for experiment in PAPER.experiments if experiment.key != "readings-of-knn"]
    records = paper_findings(PAPER, keys, bench()).experiments
    assert all(math.isfinite(row.measured) for record in records for row in record.rows)
    claims = [claim for record in records for claim in record.claims]
    assert {claim.verdict for claim in claims} == {"holds", "does not hold here"}
    assert [len(record.panels) for record in records] == [1, 2, 3, 6, 3, 7, 2, 3, 0, 1, 0, 0]
    drawn = [series for record in records for panel in record.panels for series in panel.series[:1]]
    assert all(value is not None for series in drawn for value in series.y)
