"""Figures 1 to 8 as series: agreement, sweeps and p-value curves of depths of nDCG, and of the seven metrics at 100."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from heldout.papers.paper import MeasuredTables
from heldout.papers.record import Panel, PlotSeries
from heldout.papers.valcarce2018.metric_claims import DEEP, DEPTHS, METRICS

NDCG_DEPTHS: dict[str, str] = {f"nDCG@{depth}": f"@{depth}" for depth in DEPTHS}
AT_100: dict[str, str] = {f"{metric}@{DEEP}": metric for metric in METRICS}
CLEAR = 0.001
"""Pairs whose p is below this by all metrics are not drawn."""
Drawing = Callable[[MeasuredTables], tuple[Panel, ...]]


def agreement_between(between: str, of: str, labels: tuple[str, ...], x_label: str) -> Drawing:
    """τ of each label with the others, a row for each."""

    def draw(measured: MeasuredTables) -> tuple[Panel, ...]:
        rows = measured.rows("agreement", between=between, of=of).select("first", "second", "tau").iter_rows()
        tau = {frozenset((first, second)): value for first, second, value in rows}
        series = tuple(
            PlotSeries(
                name=label,
                x=tuple(float(k) for k in range(len(labels))),
                y=tuple(1.0 if other == label else tau.get(frozenset((label, other))) for other in labels),
            )
            for label in labels
        )
        return (Panel(title="", x_label=x_label, y_label="Kendall’s τ", series=series, ticks=labels, matrix=True),)

    return draw


def sweep_of(sweep: str, metrics: Mapping[str, str], x_label: str) -> Drawing:
    """τ with the order on the whole test set, by how much of it is kept."""

    def draw(measured: MeasuredTables) -> tuple[Panel, ...]:
        series = []
        for metric, name in metrics.items():
            rows = measured.rows("sweeps", sweep=sweep, metric=metric).sort("share", descending=True)
            taus = [None if tau is None or tau != tau else tau for tau in rows["tau"]]
            series.append(PlotSeries(name=name, x=tuple(100 * share for share in rows["share"]), y=tuple(taus)))
        return (Panel(title="", x_label=x_label, y_label="Kendall’s τ", series=tuple(series)),)

    return draw


def power_of(metrics: Mapping[str, str]) -> Drawing:
    """The p-values of pairs of systems, the highest first, down to where all metrics are below 0.001."""

    def draw(measured: MeasuredTables) -> tuple[Panel, ...]:
        rows = {name: measured.rows("power", metric=metric)["curve"].explode() for metric, name in metrics.items()}
        shown = 1 + max(int((curve >= CLEAR).sum()) for curve in rows.values())
        series = []
        for name, curve in rows.items():
            highest = curve.sort(descending=True).head(shown).to_list()
            series.append(PlotSeries(name=name, x=tuple(float(k + 1) for k in range(len(highest))), y=tuple(highest)))
        return (Panel(title="", x_label="pairs of systems, the highest p first", y_label="p", series=tuple(series)),)

    return draw
