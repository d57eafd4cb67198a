"""Figures 2 to 5, 8 and 9, and what the paper says in words of further metrics."""

from __future__ import annotations

from collections.abc import Sequence

from heldout.papers.bellogin2017.rules import by_skew, over_all_items, thinned_curve
from heldout.papers.bellogin2017.works import ALPHAS, GRADED, INCOMPLETE, NAMES, REMOVED, SKEWED_METRICS, SYSTEMS
from heldout.papers.figures import bars, lines, panel
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import MeasuredTables
from heldout.papers.rules import plotted


def by_protocol(measured: MeasuredTables, protocols: Sequence[str], metrics: Sequence[str]) -> tuple[Panel, ...]:
    """The five systems under several protocols; a panel for each metric."""

    def value(protocol: str, system: str, metric: str) -> float | None:
        return plotted(measured.numbers("values", "value", protocol=protocol, system=system, metric=metric))

    return tuple(
        panel(
            bars(SYSTEMS, [[value(protocol, system, metric) for protocol in protocols] for system in SYSTEMS]),
            y_label="nDCG@10" if metric == GRADED else metric,
            ticks=tuple(protocols),
        )
        for metric in metrics
    )


def incomplete(measured: MeasuredTables) -> tuple[Panel, ...]:
    """bpref, infAP and stratified recall in the configurations of Figure 2; the paper leaves out bpref in 1R."""
    panels = []
    for metric in INCOMPLETE:
        protocols = (metric,) if metric == "bpref" else (metric, f"1R {metric}")
        y = [
            [
                plotted(over_all_items(measured, metric, system)),
                *(plotted(measured.numbers("values", "value", protocol=p, system=system)) for p in protocols),
            ]
            for system in SYSTEMS
        ]
        panels.append(panel(bars(SYSTEMS, y), y_label=metric, ticks=("AI-AR", "AR", "1R")[: 1 + len(protocols)]))
    return tuple(panels)


def by_sweep(measured: MeasuredTables, panels: Sequence[Sequence[str]]) -> tuple[Panel, ...]:
    """The five systems along sweeps: each panel is a sweep, a protocol, and what is swept."""
    drawn = []
    for sweep, protocol, x_label in panels:
        rows = [measured.rows("sweeps", sweep=sweep, protocol=protocol, system=system).sort("x") for system in SYSTEMS]
        series = [
            PlotSeries(name=system, x=tuple(of["x"]), y=tuple(of["value"])) for system, of in zip(SYSTEMS, rows, strict=True)
        ]
        drawn.append(panel(series, title=protocol, x_label=x_label, y_label="P@10"))
    return tuple(drawn)


def bounds(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Measured 1RP@10 between the bounds of equation 2."""
    drawn = []
    for sweep, x_label in (("removed", "share of test ratings removed"), ("lists", "size of the lists")):
        series = []
        for system in ("pLSA", "kNN"):
            rows = measured.rows("sweeps", sweep=sweep, protocol="1R", system=system).sort("x")
            for column, form in (("value", "line"), ("lower", "dashes"), ("upper", "dashes")):
                name = system if column == "value" else f"{system}, {column} bound"
                y = tuple(None if value != value else value for value in rows[column])
                series.append(PlotSeries(name=name, x=tuple(rows["x"]), y=y, form=form))  # type: ignore[arg-type]
        drawn.append(panel(series, title="1R", x_label=x_label, y_label="P@10"))
    return tuple(drawn)


def popularity(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Simulated popularity, precision on it, and the popularity of what users of the data like."""
    rows = measured.tables["distributions"]

    def curves(kind: str) -> tuple[PlotSeries, ...]:
        frames = rows.filter(rows["kind"] == kind).partition_by("name", maintain_order=True)
        return tuple(PlotSeries(name=f["name"][0], x=tuple(f["items"]), y=tuple(f["ratings"])) for f in frames)

    x_label, liked = "share of the items, the most popular first", curves("liked")
    left = panel(curves("simulated"), title="simulated", x_label=x_label, y_label="share of the ratings")
    right = panel(liked, title=liked[0].name, x_label=x_label, y_label="share of the ratings of 5")
    return (left, *by_sweep(measured, [("skew", "1R", "skew α")]), right)


def sparsity(measured: MeasuredTables) -> tuple[Panel, ...]:
    """The five systems by the share of removed test ratings; a panel for each metric."""
    return tuple(
        panel(
            lines(SYSTEMS, REMOVED, [thinned_curve(measured, metric, system) for system in SYSTEMS]),
            title="AR",
            x_label="share of test ratings removed",
            y_label=name,
        )
        for metric, name in NAMES.items()
    )


def skew(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Popularity and random by skew; a panel for each metric."""
    both = ("Popularity", "Random")
    return tuple(
        panel(
            lines(both, ALPHAS, [by_skew(measured, metric, system) for system in both]),
            title="AR",
            x_label="skew α",
            y_label=name,
        )
        for metric, name in SKEWED_METRICS.items()
    )
