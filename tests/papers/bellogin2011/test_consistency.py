"""Rules of what is said of Figure 2, on figures made up for them."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
from tests.papers.declared import experiments

from heldout.papers.analysis import claim_row
from heldout.papers.bellogin2011.paper import PAPER
from heldout.papers.bellogin2011.works import METHODOLOGIES, METRICS, OTHER_CUTOFFS, SPLITS, SYSTEMS, Methodology
from heldout.papers.paper import MeasuredTables

FIGURE_2_CLAIMS = experiments(PAPER)["fig-2"].claims
Values = Callable[[str, Methodology, str], tuple[float, float, float]]
"""Split, methodology and metric → UB50, IB and SVD50."""


def as_published(split: str, methodology: Methodology, metric: str) -> tuple[float, float, float]:
    """What the text says, in figures."""
    three = methodology.name == "TR 3"
    if methodology.target == "TestRatings":
        level = {"P": 0.3 if three else 0.2, "Recall": 0.92 if three else 0.95, "nDCG": 0.9}[metric.partition("@")[0]]
        return level, level + 0.001, level + 0.002
    level = {"OPR": {"P@50": 0.005}}.get(methodology.name, {}).get(metric, 0.05 if methodology.name == "TeI" else 0.04)
    return level, level / 2, 1.5 * level


def _measured(values: Values, errors: tuple[float, float, float] = (1.04, 0.95, 0.9)) -> MeasuredTables:
    rows = [
        {"study": split, "metric": metric, "aggregate": "mean", "target": f"{m.target}", "relevance": m.relevance}
        | {"seed": 1, "undefined": undefined, "system": system, "value": value}
        for split in SPLITS
        for m in METHODOLOGIES
        for metric in (*METRICS, *OTHER_CUTOFFS)
        for undefined in ("zero", "skip")
        for system, value in zip(SYSTEMS, values(split, m, metric), strict=True)
    ]
    rows += [
        {"study": split, "metric": "RMSE", "aggregate": "pooled", "target": "TestRatings", "relevance": "threshold(tau=4)"}
        | {"seed": 1, "undefined": "skip", "system": system, "value": value}
        for split in SPLITS
        for system, value in zip(SYSTEMS, errors, strict=True)
    ]
    return MeasuredTables({"values": pl.DataFrame(rows)})


def _verdicts(measured: MeasuredTables) -> list[str]:
    return [claim_row(claim, measured, ()).verdict for claim in FIGURE_2_CLAIMS]


def test_all_hold_for_figures_like_those_of_the_text() -> None:
    assert _verdicts(_measured(as_published)) == ["holds"] * len(FIGURE_2_CLAIMS)


def test_each_rule_can_fail() -> None:
    def other(split: str, methodology: Methodology, metric: str) -> tuple[float, float, float]:
        if methodology.target == "TestRatings":
            return (0.5, 0.3, 0.1) if methodology.name == "TR 3" else (0.3, 0.5, 0.1 if metric != "P@50" else 0.2)
        if methodology.name == "OPR":
            return (0.5, 0.9, 0.8) if split == "D1" else (0.9, 0.5, 0.8)
        return (0.2, 0.3, 0.4) if methodology.name == "AI" else (0.1, 0.2, 0.3)

    assert set(_verdicts(_measured(other, (0.9, 1.1, 1.0)))) == {"does not hold here"}


def test_cases_that_differ_are_named() -> None:
    def once(split: str, methodology: Methodology, metric: str) -> tuple[float, float, float]:
        user, item, factors = as_published(split, methodology, metric)
        return (
            (user, 2 * user, factors) if (split, methodology.name, metric) == ("D2", "AI", "P@50") else (user, item, factors)
        )

    row = claim_row(FIGURE_2_CLAIMS[1], _measured(once), ())
    assert row.verdict == "does not hold here"
    assert row.figures == "otherwise in 1 of 24 cases: D2 AI P@50: IB 0.0800, UB50 0.0400"
