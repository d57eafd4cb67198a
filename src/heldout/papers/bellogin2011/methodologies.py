"""What was run: three systems under five methodologies on two splits."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import MeasuredTables
from heldout.papers.rules import mean
from heldout.papers.study_runs import RepeatedStudy

SPLITS: tuple[str, ...] = ("D1", "D2")
METRICS: tuple[str, ...] = ("P@50", "Recall@50", "nDCG@50")
OTHER_CUTOFFS: tuple[str, ...] = tuple(f"{name}@{n}" for name in ("P", "Recall", "nDCG") for n in (5, 10))
SYSTEMS: dict[str, str] = {
    "UB50": "UserKNN(k=50, similarity=cosine, normalise=true, min_neighbours=2)",
    "IB": "ItemKNN(k=none, similarity=adjusted_cosine, normalise=true, min_neighbours=2)",
    "SVD50": "SVD(factors=50)",
}
"""As Mahout has the first two: means of ratings weighted by similarity, none of them of a single rating."""
READINGS: dict[str, str] = {
    "UB50 by Pearson": "UserKNN(k=50, similarity=pearson, normalise=true, min_neighbours=2)",
    "UB50 of single ratings": "UserKNN(k=50, similarity=cosine, normalise=true)",
}
"""Other readings of UB50, whose similarity the paper does not give."""


@dataclass(frozen=True)
class Methodology:
    """Which items a user's list ranks, and what counts as relevant in it."""

    name: str
    target: str
    """How the text form of the target begins."""
    relevance: str = "threshold(tau=4)"


TEST_RATINGS: tuple[Methodology, ...] = (
    Methodology("TR 3", "TestRatings", "threshold(tau=3)"),
    Methodology("TR 4", "TestRatings"),
)
TEST_ITEMS: Methodology = Methodology("TeI", "TestItems")
TRAINING_ITEMS: Methodology = Methodology("TrI", "TrainingItems")
ALL_ITEMS: Methodology = Methodology("AI", "AllItems")
ONE_PLUS_RANDOM: Methodology = Methodology("OPR", "OnePlusRandom", "threshold(tau=5)")
UNRATED_TOO: tuple[Methodology, ...] = (TEST_ITEMS, TRAINING_ITEMS, ALL_ITEMS, ONE_PLUS_RANDOM)
ALL: tuple[Methodology, ...] = (*TEST_RATINGS, *UNRATED_TOO)


def one_plus_random(sampled: int) -> str:
    """The methodology among so many sampled items: only items rated 5 get a list, whatever the study's rule."""
    return f"OnePlusRandom(nonrelevant={sampled}, relevance={ONE_PLUS_RANDOM.relevance})"


def study_of(split: str) -> RepeatedStudy:
    """All methodologies on one split: one pass over the fits."""

    def targets(sampled: int) -> list[str]:
        return ["TestRatings", "TestItems", "TrainingItems", "AllItems", one_plus_random(sampled)]

    keys = {
        "split": split,
        "recommend": [{"name": name, "model": model} for name, model in (SYSTEMS | READINGS).items()],
        "relevance": ["threshold(3)", "threshold(4)"],
        "target": targets(1000),
        "ties": "trec",
        "undefined": ["zero", "skip"],
        "metrics": [*METRICS, *OTHER_CUTOFFS, "RMSE"],
        "aggregate": ["mean", "pooled"],
        "compare": "none",
    }
    return RepeatedStudy(keys, simulated={"target": targets(40)})


def value_of(
    measured: MeasuredTables,
    split: str,
    methodology: Methodology,
    system: str,
    metric: str,
    undefined: str = "zero",
) -> float:
    """A system's value, the mean over users and folds."""
    where = {"relevance": methodology.relevance, "aggregate": "mean", "undefined": undefined}
    rows = measured.rows("values", study=split, system=system, metric=metric, **where)
    return mean(rows.filter(pl.col("target").str.starts_with(methodology.target))["value"].to_list())


def values_of(
    measured: MeasuredTables, split: str, methodology: Methodology, metric: str, undefined: str = "zero"
) -> list[float]:
    """Those of UB50, IB and SVD50."""
    return [value_of(measured, split, methodology, system, metric, undefined) for system in SYSTEMS]


def error_of(measured: MeasuredTables, split: str, system: str) -> float:
    """RMSE over all test ratings that were predicted."""
    where = {"study": split, "target": "TestRatings", "relevance": "threshold(tau=4)", "undefined": "skip"}
    return mean(measured.numbers("values", "value", system=system, metric="RMSE", aggregate="pooled", **where))


def figure_2(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Bars by methodology, a panel for each split and metric, and RMSE."""

    def panel(title: str, y_label: str, groups: list[str], bars: dict[str, list[float]]) -> Panel:
        x = tuple(float(k) for k in range(len(groups)))
        series = tuple(PlotSeries(name=name, x=x, y=tuple(values), form="bars") for name, values in bars.items())
        return Panel(title=title, x_label="", y_label=y_label, series=series, ticks=tuple(groups))

    panels = [
        panel(
            split,
            metric,
            [m.name for m in ALL],
            {system: [value_of(measured, split, m, system, metric) for m in ALL] for system in SYSTEMS},
        )
        for metric in METRICS
        for split in SPLITS
    ]
    errors = {system: [error_of(measured, split, system) for split in SPLITS] for system in SYSTEMS}
    return (*panels, panel("RMSE", "RMSE", list(SPLITS), errors))
