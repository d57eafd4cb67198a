"""Tables of Cañamares et al. on simulated data: every number is measured and every claim judged."""

from __future__ import annotations

import math

import polars as pl
import pytest
from tests.papers.declared import claims, experiments
from tests.papers.simulated import bench

from heldout.papers.analysis import claim_row, paper_findings
from heldout.papers.canamares2020.paper import PAPER
from heldout.papers.canamares2020.rules import TABLE_3, TABLE_4
from heldout.papers.canamares2020.works import DEPTHS, starts
from heldout.papers.paper import MeasuredTables

TABLES = {key: experiments(PAPER)[key] for key in ("table-2", "table-3", "table-4")}


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
    place = {"study": "start", "seed": 1, "target": "AllItems", "aggregate": "mean"}
    printed = {(e.row.replace(" as printed", ""), e.column): e.published for key in TABLES for e in TABLES[key].expectations}
    for name, where in {**TABLE_3, **TABLE_4}.items():
        if "unweighted" not in name or "GM" in name:  # unweighted means are those of Table 3 with g1
            rows += [{**place, **where, "system": system, "value": printed[name, system]} for system in ("kNN", "MF")]
            pairs.append({**place, **where, "a": "kNN", "b": "MF", "p": printed[name, "p"]})
    return MeasuredTables({"values": pl.DataFrame(rows), "pairs": pl.DataFrame(pairs)})


@pytest.mark.parametrize("experiment", TABLES.values(), ids=lambda e: e.key)
def test_claims_hold_for_the_numbers_that_the_paper_prints(experiment) -> None:
    """A rule that failed for the paper's own numbers would not be its claim."""
    for claim in experiment.claims:
        printed = "Kendall" not in claim.words
        row = claim_row(claim, _published(), ())
        assert row.verdict == ("holds" if printed else "cannot be tested"), (claim.words, row.figures)


def test_opposed_outcomes_must_both_be_significant() -> None:
    claim = claims(PAPER)["significant-both-ways"]
    tables = dict(_published().tables)
    lead_of_mf = pl.col("aggregate").is_in(["mean", "gmean"])
    tables["pairs"] = tables["pairs"].with_columns(p=pl.when(lead_of_mf).then(1.0).otherwise("p"))
    assert claim_row(claim, MeasuredTables(tables), ()).verdict == "does not hold here"


def test_one_study_serves_all_tables() -> None:
    assert all(experiment.work == starts() for experiment in TABLES.values())
    assert 10 in DEPTHS
