"""Rules look figures up by protocol, metric and system, and stay open where there are none."""

from __future__ import annotations

import polars as pl
import pytest
from tests.heavy import heavy
from tests.papers.bellogin2017.made_up import tables
from tests.papers.declared import claims, experiments
from tests.papers.simulated import bench

from heldout.errors import NotApplicableError
from heldout.papers.analysis import claim_row, paper_findings
from heldout.papers.bellogin2017.paper import PAPER
from heldout.papers.bellogin2017.rules import BiasFigures
from heldout.papers.bellogin2017.works import READINGS, SYSTEMS
from heldout.papers.paper import MeasuredTables


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
    return claim_row(claims(PAPER)[words], measured, ()).verdict


def test_orders_and_numbers_decide() -> None:
    published = _measured(dict(zip(SYSTEMS, (0.1, 0.08, 0.05, 0.03, 0.01), strict=True)))
    assert _verdict("plsa-best-then-popularity", published) == "holds"
    assert _verdict("popularity-in-ar", published) == "holds"
    assert _verdict("skew-of-movielens", published) == _verdict("uniform-test-set", published) == "holds"
    assert _verdict("top-item", published) == "does not hold here"  # 3 of 10
    turned = _measured(dict(zip(SYSTEMS, (0.01, 0.03, 0.05, 0.08, 0.1), strict=True)))
    assert _verdict("plsa-best-then-popularity", turned) == "does not hold here"


def test_what_was_not_measured_leaves_a_claim_open() -> None:
    measured = _measured(dict.fromkeys(SYSTEMS, 0.1))
    assert _verdict("level-of-random", measured) == "cannot be tested"
    with pytest.raises(NotApplicableError):
        BiasFigures(measured).curve("skew", "1R", "MF")


def _measured_by(knn: dict[str, float]) -> MeasuredTables:
    """P@10 in UAR: popularity has 0.5, kNN these values."""
    named = {}
    for reading, value in knn.items():
        rows = [
            {"protocol": "UAR", "metric": "P@10", "system": system, "value": value if system == "kNN" else 0.5}
            for system in SYSTEMS
        ]
        named |= {f"{reading} {name}": frame for name, frame in tables(pl.DataFrame(rows)).tables.items()}
    return MeasuredTables(named)


def test_all_readings_must_meet_a_claim() -> None:
    by_key = {claim.key: claim for claim in experiments(PAPER)["readings-of-knn"].claims}
    claim, own = by_key["remains-above-knn"], claims(PAPER)["remains-above-knn"]
    assert claim.words == own.words and claim.rule == f"with each kNN: {own.rule}"
    first, second, third = READINGS
    row = claim_row(claim, _measured_by({first: 0.4, second: 0.6, third: 0.4}), ())
    assert row.verdict == "does not hold here"
    assert row.figures == "✓ sum of cosines; ✗ mean by Pearson (Popularity 0.5000, kNN 0.6000); ✓ NNCosNgbr-UB"
    assert row.causes and row.causes[0].startswith("The kNN. Of the 19 rules")
    assert claim_row(claim, _measured_by(dict.fromkeys(READINGS, 0.4)), ()).verdict == "holds"


@heavy
def test_all_readings_run_on_simulated_data() -> None:
    [record] = paper_findings(PAPER, ["readings-of-knn"], bench()).experiments
    assert len(record.claims) == 19 and {row.verdict for row in record.claims} == {"holds", "does not hold here"}
    assert all(reading in row.figures for row in record.claims for reading in READINGS)
