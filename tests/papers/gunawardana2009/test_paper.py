"""Gunawardana and Shani: rules on figures made up for them, and every experiment on simulated data."""

from __future__ import annotations

import math

import polars as pl
from tests.papers.simulated import bench

from heldout.papers.gunawardana2009.paper import PAPER
from heldout.papers.gunawardana2009.studies import HLU, LENGTHS
from heldout.papers.paper import Experiment, MeasuredTables
from heldout.papers.reproduce import compared, judged, reproduce_paper

BY_KEY = {experiment.key: experiment for experiment in PAPER.experiments}
POINTS = [f"{metric}@{n}" for metric in ("P", "Recall") for n in LENGTHS]


def _verdicts(experiment: Experiment, measured: MeasuredTables) -> list[str]:
    return [judged(claim, measured, ()).verdict for claim in experiment.claims]


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


def _sums(metric: str, study: str, values: dict[str, float], p: float, wins: int = 1) -> MeasuredTables:
    """Values of the sums over users; `wins` of ten users are better off under the first system."""
    place = {"study": study, "seed": 1, "aggregate": "pooled", "metric": metric}
    rows = [{**place, "system": system, "value": value} for system, value in values.items()]
    pair = {**place, "a": next(iter(values)), "wins": wins, "losses": 10 - wins, "p": p}
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
    printed = _sums(HLU, "curves", {"Item-Item": 0.01, "Exp. Profit": 0.05}, 1e-9)
    assert _verdicts(BY_KEY["table-3"], printed) == ["holds", "holds"]
    few = _sums(HLU, "curves", {"Item-Item": 0.01, "Exp. Profit": 0.05}, 1e-9, wins=9)
    (_, tested) = BY_KEY["table-3"].claims
    assert judged(tested, few, ()).figures == "p by HLU: 1e-09 (Item-Item the better for more users)"
    assert _verdicts(BY_KEY["table-3"], few) == ["holds", "does not hold here"]
    rows = [compared(expectation, printed) for expectation in BY_KEY["table-3"].expectations]
    assert [round(row.difference, 12) for row in rows] == [0, 0, 0]


def test_the_printed_errors_hold() -> None:
    for key, pearson, cosine in (("table-2", 3.58, 4.5), ("table-2-netflix", 1.07, 1.90)):
        printed = _sums("RMSE", "errors", {"Pearson": pearson, "Cosine": cosine}, 1e-5, wins=9)
        assert _verdicts(BY_KEY[key], printed) == ["holds", "holds"]
        rows = [compared(expectation, printed) for expectation in BY_KEY[key].expectations]
        assert [row.difference for row in rows] == [0, 0] and {row.standing for row in rows} == {"own"}
    assert {expectation.standing for expectation in BY_KEY["table-2-zeros"].expectations} == {"reading"}


def test_popularity_that_rises_with_every_bin_denies_the_claim() -> None:
    def films(counts: list[int]) -> MeasuredTables:
        return MeasuredTables({"items": pl.DataFrame({"mean": [1.0 + k for k in range(len(counts))], "ratings": counts})})

    assert _verdicts(BY_KEY["fig-1"], films([1, 2, 3, 4])) == ["does not hold here"]
    assert _verdicts(BY_KEY["fig-1"], films([1, 2, 5, 4])) == ["holds"]


def test_every_experiment_runs_on_simulated_data() -> None:
    record = reproduce_paper(PAPER, [], bench())
    for experiment in record.experiments:
        assert not experiment.failures, experiment.failures
        assert all(math.isfinite(row.measured) for row in experiment.rows), experiment.key
        assert all(claim.verdict in ("holds", "does not hold here") for claim in experiment.claims), experiment.key
        assert (len(experiment.panels) == 1) == (BY_KEY[experiment.key].draw is not None)
