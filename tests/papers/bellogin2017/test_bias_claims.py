"""Rules look figures up by protocol, metric and system, and stay open where there are none."""

from __future__ import annotations

import polars as pl
import pytest

from heldout.errors import NotApplicableError
from heldout.papers.bellogin2017.baseline_claims import BASELINE_CLAIMS
from heldout.papers.bellogin2017.bias_claims import CLAIMS
from heldout.papers.bellogin2017.bias_figures import SYSTEMS, BiasFigures
from heldout.papers.paper import MeasuredTables
from heldout.papers.reproduce import judged


def _measured(precision: dict[str, float]) -> MeasuredTables:
    values = [
        {"protocol": protocol, "metric": "P@10", "system": system, "value": value, "times_random": 2.0}
        for protocol in ("AR", "1R")
        for system, value in precision.items()
    ]
    sweeps = {"sweep": ["skew"], "protocol": ["1R"], "system": ["MF"], "x": [0.0], "value": [0.1]}
    return MeasuredTables(
        {
            "values": pl.DataFrame(values),
            "expected": pl.DataFrame(),
            "pairs": pl.DataFrame(),
            "sweeps": pl.DataFrame(sweeps),
            "items": pl.DataFrame({"ratings": [4, 2], "liked": [3, 1]}),
            "data": pl.DataFrame({"users": [10], "skew": [1.38], "zeta": [1703], "eta": [118]}),
        }
    )


def _verdict(words: str, measured: MeasuredTables) -> str:
    [claim] = [claim for claim in (*CLAIMS, *BASELINE_CLAIMS) if words in claim.words]
    return judged(claim, measured, ()).verdict


def test_orders_and_numbers_decide() -> None:
    published = _measured(dict(zip(SYSTEMS, (0.1, 0.08, 0.05, 0.03, 0.01), strict=True)))
    assert _verdict("pLSA consistently performs best", published) == "holds"
    assert _verdict("from 0.08 on MovieLens", published) == "holds"
    assert _verdict("α ∼ 1.4", published) == _verdict("η = 118", published) == "holds"
    assert _verdict("32.7%", published) == "does not hold here"  # 3 of 10
    turned = _measured(dict(zip(SYSTEMS, (0.01, 0.03, 0.05, 0.08, 0.1), strict=True)))
    assert _verdict("pLSA consistently performs best", turned) == "does not hold here"


def test_what_was_not_measured_leaves_a_claim_open() -> None:
    measured = _measured(dict.fromkeys(SYSTEMS, 0.1))
    assert _verdict("by the level of random", measured) == "cannot be tested"
    with pytest.raises(NotApplicableError, match="the sweep skew of MF in 1R was not measured"):
        BiasFigures(measured).curve("skew", "1R", "MF")
