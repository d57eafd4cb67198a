"""Further sentences on Tables 2 to 4, by figures made up for them."""

from __future__ import annotations

import polars as pl
from tests.papers.declared import claims

from heldout.papers.analysis import claim_row
from heldout.papers.canamares2020.paper import PAPER
from heldout.papers.canamares2020.works import NDCG, P
from heldout.papers.paper import MeasuredTables

CLAIMS = claims(PAPER)


def _values(leads: dict[str, float]) -> MeasuredTables:
    """MF has 0.4 under each aggregation, kNN so much more, by both metrics."""
    rows = [
        {"study": "start", "seed": 1, "target": "AllItems", "aggregate": aggregate, "metric": metric}
        | {"system": system, "value": 0.4 + (lead if system == "kNN" else 0.0)}
        for aggregate, lead in leads.items()
        for metric in (P, NDCG)
        for system in ("kNN", "MF")
    ]
    return MeasuredTables({"values": pl.DataFrame(rows)})


def test_the_margin_on_netflix_must_be_above_the_printed_one_of_movielens() -> None:
    claim = CLAIMS["higher-margin"]
    assert claim_row(claim, _values({"mean": -0.008}), ()).verdict == "holds"
    assert claim_row(claim, _values({"mean": -0.005}), ()).verdict == "does not hold here"  # above by NDCG@10 alone


def test_knn_must_gain_on_mf_under_both_weights() -> None:
    claim = CLAIMS["benefits-from-ratings"]
    weights = {"mean(weight=test)": 0.01, "mean(weight=relevant)": 0.02}
    assert claim_row(claim, _values({"mean": 0.0, **weights}), ()).verdict == "holds"
    assert claim_row(claim, _values({"mean": 0.015, **weights}), ()).verdict == "does not hold here"


def test_significance_with_g1_must_be_weaker_than_with_g2() -> None:
    claim = CLAIMS["weaker-significance"]

    def measured(binary: float) -> MeasuredTables:
        place = {"study": "start", "seed": 1, "target": "AllItems", "aggregate": "mean", "a": "kNN", "b": "MF"}
        p = {NDCG: binary, "nDCG(gain=exp2)@10": 0.002}
        return MeasuredTables(
            {"pairs": pl.DataFrame([{**place, "metric": metric, "p": each} for metric, each in p.items()])}
        )

    assert claim_row(claim, measured(0.897), ()).verdict == "holds"
    assert claim_row(claim, measured(0.001), ()).verdict == "does not hold here"
