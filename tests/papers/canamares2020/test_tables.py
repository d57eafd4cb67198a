"""Tables of Cañamares et al. on simulated data: every number is measured and every claim judged."""

from __future__ import annotations

import math

import polars as pl
import pytest
from tests.papers.simulated import bench

from heldout.papers.analysis import claim_row, paper_findings
from heldout.papers.canamares2020.paper import PAPER
from heldout.papers.canamares2020.studies import DEPTHS, NDCG, P, starts
from heldout.papers.canamares2020.table_claims import TABLE_3, TABLE_4, graded
from heldout.papers.canamares2020.tables import TABLES
from heldout.papers.paper import MeasuredTables


def test_all_numbers_are_measured_and_all_claims_judged() -> None:
    record = paper_findings(PAPER, ["table-1", "table-2", "table-3", "table-4", "rho"], bench())
    for experiment in record.experiments:
        assert not experiment.failures
        assert all(math.isfinite(row.measured) for row in experiment.rows), experiment.key
        assert all(claim.verdict in ("holds", "does not hold here") for claim in experiment.claims), experiment.key
    assert [len(experiment.rows) for experiment in record.experiments] == [4, 10, 21, 24, 2]


def _published() -> MeasuredTables:
    """What the paper prints, as if it had been measured on one split."""
    rows, pairs = [], []
    entries = [(graded(m, "exp2" if g == "g2" else g), "mean", numbers) for (m, g), numbers in TABLE_3.items()]
    entries += [({"Prec@10": P, "NDCG@10": NDCG}[m], a, numbers) for (m, a), numbers in TABLE_4.items() if a != "mean"]
    for metric, aggregate, (knn, mf, p) in entries:
        place = {"study": "start", "seed": 1, "target": "AllItems", "aggregate": aggregate, "metric": metric}
        rows += [{**place, "system": name, "value": value} for name, value in (("kNN", knn), ("MF", mf))]
        pairs.append({**place, "a": "kNN", "b": "MF", "p": p})
    return MeasuredTables({"values": pl.DataFrame(rows), "pairs": pl.DataFrame(pairs)})


@pytest.mark.parametrize("experiment", [e for e in TABLES if e.claims and "netflix" not in e.key], ids=lambda e: e.key)
def test_claims_hold_for_the_numbers_that_the_paper_prints(experiment) -> None:
    """A rule that failed for the paper's own numbers would not be its claim."""
    for claim in experiment.claims:
        printed = "Kendall" not in claim.words
        row = claim_row(claim, _published(), ())
        assert row.verdict == ("holds" if printed else "cannot be tested"), (claim.words, row.figures)


def test_opposed_outcomes_must_both_be_significant() -> None:
    [claim] = [claim for e in TABLES for claim in e.claims if "in others it is MF" in claim.words]
    tables = dict(_published().tables)
    lead_of_mf = pl.col("aggregate").is_in(["mean", "gmean"])
    tables["pairs"] = tables["pairs"].with_columns(p=pl.when(lead_of_mf).then(1.0).otherwise("p"))
    assert claim_row(claim, MeasuredTables(tables), ()).verdict == "does not hold here"


def test_one_study_serves_all_tables() -> None:
    assert all(experiment.work == starts() for experiment in TABLES if experiment.key in ("table-2", "table-3", "table-4"))
    assert 10 in DEPTHS
