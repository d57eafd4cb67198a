"""Rules on thresholds, skew and protocols by further metrics, by figures made up for them."""

from __future__ import annotations

import polars as pl
import pytest
from tests.papers.declared import claims

from heldout.catalogue import make
from heldout.papers.analysis import claim_row
from heldout.papers.bellogin2017.figures import skew
from heldout.papers.bellogin2017.paper import PAPER
from heldout.papers.bellogin2017.works import (
    ALPHAS,
    LOWER_THRESHOLD,
    OTHER_METRICS,
    OWN_THRESHOLD,
    PAPERS_TARGETS,
    SKEWED_METRICS,
    SYSTEMS,
)
from heldout.papers.paper import MeasuredTables

CLAIMS = claims(PAPER)
THRESHOLDS, ALL_TRENDS, OTHER_SKEWS = (
    CLAIMS[key] for key in ("other-thresholds", "same-trends-under-all", "skew-by-other-metrics")
)


def _measured(*turned: tuple[str, str, str]) -> MeasuredTables:
    """The five in the paper's order, but for the first two where a configuration, a metric and a threshold are turned."""
    rows = []
    for study, targets in PAPERS_TARGETS.items():
        for protocol, text in targets.items():
            for metric in ("P@10", *OTHER_METRICS):
                for relevance in (OWN_THRESHOLD, LOWER_THRESHOLD):
                    values = [0.5, 0.4, 0.3, 0.2, 0.1]
                    if (protocol, metric, relevance) in turned:
                        values[:2] = values[1::-1]
                    place = {"study": study, "seed": 1, "target": str(make("target", text)), "metric": metric}
                    rows += [
                        {**place, "relevance": relevance, "system": system, "value": value}
                        for system, value in zip(SYSTEMS, values, strict=True)
                    ]
    return MeasuredTables({"values": pl.DataFrame(rows)})


def test_another_threshold_must_keep_the_order_of_figure_2() -> None:
    assert claim_row(THRESHOLDS, _measured(), ()).verdict == "holds"
    assert claim_row(THRESHOLDS, _measured(("P1R", "P@10", LOWER_THRESHOLD)), ()).verdict == "holds"
    row = claim_row(THRESHOLDS, _measured(("1R", "P@10", LOWER_THRESHOLD)), ())
    assert row.verdict == "does not hold here" and "and Popularity > pLSA > MF" in row.figures


@pytest.mark.parametrize("protocol", ["UAR", "AI-UAR", "AI-AR", "P1R"])
def test_other_metrics_must_keep_the_order_of_precision_in_each_configuration(protocol: str) -> None:
    assert claim_row(ALL_TRENDS, _measured(), ()).verdict == "holds"
    row = claim_row(ALL_TRENDS, _measured((protocol, "AP", OWN_THRESHOLD)), ())
    assert row.verdict == "does not hold here"
    assert row.figures == f"recall: in all nine; MAP: another order under {protocol}; MRR: in all nine"
    assert claim_row(ALL_TRENDS, _measured((protocol, "AP", LOWER_THRESHOLD)), ()).verdict == "holds"


def _skewed(metric: str = "", flat: float = 0.01, steep: float = 0.5) -> MeasuredTables:
    rows = [
        {"alpha": alpha, "metric": each, "system": system}
        | {"value": 0.02 if system == "Random" else _popular(alpha, *((flat, steep) if each == metric else (0.01, 0.5)))}
        for each in SKEWED_METRICS
        for system in ("Popularity", "Random")
        for alpha in ALPHAS
    ]
    return MeasuredTables({"skewed": pl.DataFrame(rows)})


def _popular(alpha: float, flat: float, steep: float) -> float:
    return flat + (steep - flat) * alpha / ALPHAS[-1]


def test_popularity_must_begin_below_random_and_grow_by_every_metric() -> None:
    assert claim_row(OTHER_SKEWS, _skewed(), ()).verdict == "holds"
    for metric in SKEWED_METRICS:
        assert claim_row(OTHER_SKEWS, _skewed(metric, flat=0.03), ()).verdict == "does not hold here"
        assert claim_row(OTHER_SKEWS, _skewed(metric, steep=0.005), ()).verdict == "does not hold here"
    assert [panel.y_label for panel in skew(_skewed())] == list(SKEWED_METRICS.values())
