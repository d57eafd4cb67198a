"""Random and Popularity on MovieLens 1M beside the figures of Bellogín, Castells and Cantador (2017)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.heavy import heavy

import heldout as ho

pytestmark = heavy


def test_random_is_as_expected_and_popularity_loses_its_advantage(real_data: Callable[[str], Path]) -> None:
    """Closed forms and exact expectations of random ranking lie in the measured 95 % intervals of all five protocols."""
    study = {
        "data": str(real_data("ml-1m/ratings.dat")),
        "split": "ratio(train=0.8)",
        "relevance": "threshold(5)",
        "target": "TestItems",
        "recommend": ["Random", "Popularity"],
        "metrics": ["P@10"],
    }
    findings = ho.bias(study, sweeps=(), progress=False).findings
    rows = {(row.protocol, row.system): row for row in findings.expectations}
    for protocol in ("AR", "1R", "P1R", "U1R", "UAR"):
        row = rows[protocol, "Random"]
        assert row.low <= row.expected <= row.high, protocol
        assert row.low <= row.exact <= row.high, protocol
    for protocol in ("1R", "P1R", "U1R"):
        row = rows[protocol, "Popularity"]
        assert row.low <= row.exact <= row.high, protocol
    assert round(rows["AR", "Popularity"].measured, 2) == 0.08  # Figure 2
    ratios = {r.protocol: r.times_random for r in findings.effects.values if r.system == "Popularity"}
    assert ratios["P1R"] < ratios["U1R"] < ratios["1R-head"] < ratios["1R"]  # Figure 8
