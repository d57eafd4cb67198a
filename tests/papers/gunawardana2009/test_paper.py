"""Gunawardana and Shani: rules on figures made up for them, and every experiment on simulated data."""

from __future__ import annotations

import math

import polars as pl
from tests.papers.simulated import bench

from heldout.papers.analysis import claim_row, figure_row, paper_findings
from heldout.papers.gunawardana2009.paper import PAPER
from heldout.papers.gunawardana2009.works import HLU, LENGTHS, OTHER_HALF_LIVES, half_life
from heldout.papers.paper import Experiment, MeasuredTables

BY_KEY = {experiment.key: experiment for experiment in PAPER.experiments}
POINTS = [f"{metric}@{n}" for metric in ("P", "Recall") for n in LENGTHS]


def _verdicts(experiment: Experiment, measured: MeasuredTables) -> list[str]:
    return [claim_row(claim, measured, ()).verdict for claim in experiment.claims]


def _curves(better: str, worse: str, *, turned: tuple[str, ...] = (), p: float = 0.0) -> MeasuredTables:
    """One system above the other at each point but those named."""
    place = {"study": "curves", "seed": 1, "aggregate": "mean"}
    values = [
        {**place, "metric": m, "system": system, "value": 0.2 if (system == better) != (m in turned) else 0.1}
        for m in POINTS
        for system in (better, worse)
    ]
    pairs = [{**place, "metric": m, "a": better, "wins": 9, "losses": 1, "p": p} for m in POINTS]
    return MeasuredTables({"values": pl.DataFrame(values), "pairs": pl.DataFrame(pairs)})


def _profits(item: float, profit: float, p: float, wins: int = 1, other: float = 0.05) -> MeasuredTables:
    """Half-life utilities, with another half-life `other` for expected profit; `wins` of ten users gain by item-item."""
    place = {"study": "curves", "seed": 1, "aggregate": "pooled"}
    metrics = {HLU: profit, **{half_life(alpha): other for alpha in OTHER_HALF_LIVES}}
    rows = [
        {**place, "metric": metric, "system": system, "value": value}
        for metric, of_profit in metrics.items()
        for system, value in (("Item-Item", item), ("Exp. Profit", of_profit))
    ]
    pair = {**place, "metric": HLU, "a": "Item-Item", "wins": wins, "losses": 10 - wins, "p": p}
    return MeasuredTables({"values": pl.DataFrame(rows), "pairs": pl.DataFrame([pair])})


def test_cosine_must_lead_at_every_length() -> None:
    dominates = _curves("Cosine", "Pearson")
    assert _verdicts(BY_KEY["fig-2-retail"], dominates) == ["holds"] * 3
    once = _curves("Cosine", "Pearson", turned=("P@50", "Recall@50"))
    assert _verdicts(BY_KEY["fig-2-retail"], once) == ["does not hold here", "holds", "holds"]
    assert _verdicts(BY_KEY["fig-2-news"], _curves("Cosine", "Pearson", p=1e-3)) == ["holds", "does not hold here"]


def test_precision_and_profit_choose_different_systems() -> None:
    assert _verdicts(BY_KEY["fig-3"], _curves("Item-Item", "Exp. Profit")) == ["holds", "holds"]
    assert _verdicts(BY_KEY["fig-3"], _curves("Exp. Profit", "Item-Item")) == ["does not hold here"] * 2
    printed = _profits(0.01, 0.05, 1e-9)
    assert _verdicts(BY_KEY["table-3"], printed) == ["holds"] * 3
    few = _profits(0.01, 0.05, 1e-9, wins=9, other=0.005)
    tested = BY_KEY["table-3"].claims[-1]
    assert claim_row(tested, few, ()).figures == "p by HLU: 1e-09 (Item-Item the better for more users)"
    assert _verdicts(BY_KEY["table-3"], few) == ["holds", "does not hold here", "does not hold here"]
    rows = [figure_row(expectation, printed) for expectation in BY_KEY["table-3"].expectations]
    assert [round(row.difference, 12) for row in rows] == [0, 0, 0]


def test_popularity_that_rises_with_every_bin_denies_the_claim() -> None:
    def films(counts: list[int]) -> MeasuredTables:
        return MeasuredTables({"items": pl.DataFrame({"mean": [1.0 + k for k in range(len(counts))], "ratings": counts})})

    assert _verdicts(BY_KEY["fig-1"], films([1, 2, 3, 4])) == ["does not hold here"]
    assert _verdicts(BY_KEY["fig-1"], films([1, 2, 5, 4])) == ["holds"]


def test_every_experiment_runs_on_simulated_data() -> None:
    record = paper_findings(PAPER, [], bench())
    for experiment in record.experiments:
        assert not experiment.failures, experiment.failures
        assert all(math.isfinite(row.measured) for row in experiment.rows), experiment.key
        assert all(claim.verdict in ("holds", "does not hold here") for claim in experiment.claims), experiment.key
        assert (len(experiment.panels) == 1) == (BY_KEY[experiment.key].draw is not None)
