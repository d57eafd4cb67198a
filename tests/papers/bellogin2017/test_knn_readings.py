"""A claim is judged with each kNN, and the marks tell which of them meet it."""

from __future__ import annotations

import polars as pl
from tests.heavy import heavy
from tests.papers.bellogin2017.made_up import tables
from tests.papers.simulated import bench

from heldout.papers.bellogin2017 import causes
from heldout.papers.bellogin2017.bias_claims import CLAIMS
from heldout.papers.bellogin2017.bias_figures import SYSTEMS
from heldout.papers.bellogin2017.knn_readings import READING_CLAIMS, READINGS
from heldout.papers.bellogin2017.paper import PAPER
from heldout.papers.paper import MeasuredTables
from heldout.papers.reproduce import judged, reproduce_paper


def _measured(knn: dict[str, float]) -> MeasuredTables:
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
    assert [claim.words for claim in READING_CLAIMS] == [claim.words for claim in CLAIMS]
    [claim] = [claim for claim in READING_CLAIMS if "remains above kNN" in claim.words]
    first, second, third = READINGS
    row = judged(claim, _measured({first: 0.4, second: 0.6, third: 0.4}), ())
    assert row.verdict == "does not hold here"
    assert row.figures == "✓ sum of cosines; ✗ mean by Pearson (Popularity 0.5000, kNN 0.6000); ✓ NNCosNgbr-UB"
    assert row.causes == (causes.WHICH_KNN,)
    assert judged(claim, _measured(dict.fromkeys(READINGS, 0.4)), ()).verdict == "holds"


@heavy
def test_all_readings_run_on_simulated_data() -> None:
    [record] = reproduce_paper(PAPER, ["readings-of-knn"], bench()).experiments
    assert len(record.claims) == len(CLAIMS) and {row.verdict for row in record.claims} == {"holds", "does not hold here"}
    assert all(reading in row.figures for row in record.claims for reading in READINGS)
