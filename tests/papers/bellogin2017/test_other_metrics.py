"""Rules on other metrics, by figures made up for them."""

from __future__ import annotations

import polars as pl
import pytest
from tests.papers.declared import claims, experiments

from heldout.papers.analysis import claim_row
from heldout.papers.bellogin2017.figures import sparsity
from heldout.papers.bellogin2017.paper import PAPER
from heldout.papers.bellogin2017.rules import over_all_items
from heldout.papers.bellogin2017.works import GRADED, INCOMPLETE, NAMES, REMOVED, SYSTEMS
from heldout.papers.paper import MeasuredTables

SAME_TRENDS, *SPARSITY_CLAIMS = experiments(PAPER)["sparsity"].claims
ALWAYS_1 = claims(PAPER)["bpref-always-1"]

AS_SAID = {"P@10": 0.8, GRADED: 0.6, "Recall@10": 0.05, "nDCG(gain=binary)": 0.2, "AP": 0.3, "RR": 0.4}
"""Shares lost when 80% of the test ratings are removed."""


def _measured(lost: dict[str, float]) -> MeasuredTables:
    rows = [
        {"removed": removed, "metric": metric, "system": system, "value": 0.2 * (1 - lost[metric] * removed / 0.8)}
        for metric in NAMES
        for system in SYSTEMS
        for removed in reversed(REMOVED)
    ]
    return MeasuredTables({"sparse removed": pl.DataFrame(rows)})


@pytest.mark.parametrize(
    ("change", "failing"),
    [({}, None), ({"Recall@10": -0.11}, 0), ({"AP": 0.7}, 1), ({"AP": -0.1}, 1), ({GRADED: 0.81}, 2), ({"RR": -0.1}, 4)],
)
def test_shares_that_are_lost_decide(change: dict[str, float], failing: int | None) -> None:
    rows = [claim_row(claim, _measured(AS_SAID | change), ()) for claim in SPARSITY_CLAIMS]
    assert [k for k, row in enumerate(rows) if row.verdict != "holds"] == ([] if failing is None else [failing])


def test_a_bend_is_not_steady_and_every_metric_has_a_panel() -> None:
    straight = _measured(AS_SAID)
    bent = straight.tables["sparse removed"].with_columns(
        value=pl.when((pl.col("metric") == GRADED) & (pl.col("removed") == 0.4)).then(0.19).otherwise("value")
    )
    assert claim_row(SPARSITY_CLAIMS[3], MeasuredTables({"sparse removed": bent}), ()).verdict == "does not hold here"
    assert claim_row(SPARSITY_CLAIMS[5], straight, ()).verdict == "holds"
    turned = straight.tables["sparse removed"].with_columns(
        value=pl.when((pl.col("system") == "Random") & (pl.col("removed") == 0.8)).then(1.0).otherwise("value")
    )
    assert claim_row(SPARSITY_CLAIMS[5], MeasuredTables({"sparse removed": turned}), ()).verdict == "does not hold here"
    panels = sparsity(straight)
    assert [panel.y_label for panel in panels] == ["P@10", "nDCG@10", "Recall@10", "nDCG", "MAP", "MRR"]
    assert panels[0].series[0].x == REMOVED and panels[0].series[0].y[-1] == pytest.approx(0.04)


def test_orders_by_other_metrics_must_be_that_by_precision() -> None:
    rows = [
        {"removed": 0.0, "metric": metric, "system": system, "value": 0.5 - 0.1 * k}
        for metric in NAMES
        for k, system in enumerate(SYSTEMS)
    ]
    frame = pl.DataFrame(rows)
    assert claim_row(SAME_TRENDS, MeasuredTables({"sparse removed": frame}), ()).verdict == "holds"
    turned = frame.with_columns(value=pl.when(pl.col("metric") == "RR").then(-pl.col("value")).otherwise("value"))
    assert claim_row(SAME_TRENDS, MeasuredTables({"sparse removed": turned}), ()).verdict == "does not hold here"


def test_bpref_must_be_1_in_single_lists_whatever_it_is_elsewhere() -> None:
    def measured(knn: float) -> MeasuredTables:
        rows = [
            {"seed": 1, "target": target, "metric": INCOMPLETE["bpref"], "system": system}
            | {"value": 0.3 if target == "AllItems" else knn if system == "kNN" else 1.0}
            for target in ("AllItems", "targets(relevant=one)")
            for system in SYSTEMS
        ]
        return MeasuredTables({"lists values": pl.DataFrame(rows)})

    assert claim_row(ALWAYS_1, measured(1.0), ()).verdict == "holds"
    assert claim_row(ALWAYS_1, measured(0.99), ()).verdict == "does not hold here"
    assert over_all_items(measured(1.0), "bpref", "kNN") == [0.3]
