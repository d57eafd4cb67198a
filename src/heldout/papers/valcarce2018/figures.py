"""Figures 1 to 8, of cut-offs of nDCG and of metrics at 100."""

from __future__ import annotations

from heldout.papers.figures import lines, panel
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import MeasuredTables
from heldout.papers.valcarce2018.works import DEEP, DEPTHS, METRICS

NAMES = {
    "depth": {f"nDCG@{depth}": f"@{depth}" for depth in DEPTHS},
    "metric": {f"{metric}@{DEEP}": metric for metric in METRICS},
}
"""What is drawn, and what it is called."""
LABELS = {"depths": tuple(map(str, DEPTHS)), "metrics": METRICS}
CLEAR = 0.001
"""Pairs whose p is below this by all metrics are not drawn."""


def agreement(measured: MeasuredTables, between: str, of: str, x_label: str) -> tuple[Panel, ...]:
    """τ of each label with the others, a row for each."""
    rows = measured.rows("agreement", between=between, of=of).select("first", "second", "tau").iter_rows()
    tau = {frozenset((first, second)): value for first, second, value in rows}
    labels = LABELS[between]
    y = [[1.0 if other == label else tau.get(frozenset((label, other))) for other in labels] for label in labels]
    series = lines(labels, range(len(labels)), y)
    return (panel(series, x_label=x_label, y_label="Kendall’s τ", ticks=labels, matrix=True),)


def sweep(measured: MeasuredTables, sweep: str, by: str, x_label: str) -> tuple[Panel, ...]:
    """τ with the order on the whole test set, by how much of it is kept."""
    series = []
    for metric, name in NAMES[by].items():
        rows = measured.rows("sweeps", sweep=sweep, metric=metric).sort("share", descending=True)
        taus = [None if tau is None or tau != tau else tau for tau in rows["tau"]]
        series.append(PlotSeries(name=name, x=tuple(100 * share for share in rows["share"]), y=tuple(taus)))
    return (panel(series, x_label=x_label, y_label="Kendall’s τ"),)


def power(measured: MeasuredTables, by: str) -> tuple[Panel, ...]:
    """The p-values of pairs of systems, the highest first, down to where all metrics are below 0.001."""
    rows = {name: measured.rows("power", metric=metric)["curve"].explode() for metric, name in NAMES[by].items()}
    shown = 1 + max(int((curve >= CLEAR).sum()) for curve in rows.values())
    y = {name: curve.sort(descending=True).head(shown).to_list() for name, curve in rows.items()}
    series = [
        PlotSeries(name=name, x=tuple(float(k + 1) for k in range(len(highest))), y=tuple(highest))
        for name, highest in y.items()
    ]
    return (panel(series, x_label="pairs of systems, the highest p first", y_label="p"),)
