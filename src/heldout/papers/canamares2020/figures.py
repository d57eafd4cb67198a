"""Figures 1 to 8, drawn again."""

from __future__ import annotations

from heldout.papers.canamares2020.rules import BOTH, at_overlap, by_neighbours, mf_by_coverage, value
from heldout.papers.canamares2020.works import DEPTHS, FALLBACKS, NEIGHBOURS, OVERLAPS, POSITIONS, RATIOS
from heldout.papers.figures import bars, lines, panel
from heldout.papers.findings import Panel, PlotSeries, bar_place
from heldout.papers.paper import MeasuredTables
from heldout.papers.rules import plotted

COUNTED = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def distributions(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Shares of the users and items with at most so many ratings."""
    counts = [measured.tables[of]["ratings"].to_numpy() for of in ("users", "items")]
    shares = [[float((of <= n).mean()) for n in COUNTED] for of in counts]
    series = lines(("ratings per user", "ratings per item"), COUNTED, shares)
    return (panel(series, x_label="at most so many ratings", y_label="share", log_x=True),)


def by_ratio(measured: MeasuredTables, metric: str, target: str, label: str) -> tuple[Panel, ...]:
    """Both systems by split ratio."""
    y = [[plotted(value(measured, s, metric, study=f"{r:g}", target=target)) for r in RATIOS] for s in BOTH]
    return (panel(lines(BOTH, RATIOS, y), x_label="split ratio", y_label=label),)


def by_position(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Positions of condensed items in the full list, means over splits."""
    y = [[plotted(value(measured, system, f"FullPosition@{k}")) for k in POSITIONS] for system in BOTH]
    x_label, y_label = "position in the condensed list", "position in the full list"
    return (panel(lines(BOTH, POSITIONS, y), x_label=x_label, y_label=y_label),)


def by_depth(measured: MeasuredTables, study: str = "start") -> tuple[Panel, ...]:
    """NDCG of both systems at several depths, means over splits."""
    y = [[plotted(value(measured, s, f"nDCG(gain=binary)@{d}", study=study)) for d in DEPTHS] for s in BOTH]
    return (panel(lines(BOTH, DEPTHS, y), x_label="depth d", y_label="NDCG@d", log_x=True),)


def by_fallback(measured: MeasuredTables) -> tuple[Panel, ...]:
    """NDCG@10 by fallback and number of neighbours, and coverage without one."""
    by_name = [by_neighbours(measured, fallback) for fallback in FALLBACKS.values()]
    names = [f"k = {k}" for k in NEIGHBOURS]
    n = len(NEIGHBOURS)
    crosses = PlotSeries(
        name="Coverage@10",
        x=tuple(bar_place(0, j, n) for j in range(n)),
        y=tuple(by_neighbours(measured, "none", "coverage_at_n")),
        form="points",
    )
    series = (*bars(names, list(zip(*by_name, strict=True))), crosses)
    return (panel(series, x_label="items that cannot be scored", y_label="NDCG@10", ticks=tuple(FALLBACKS)),)


def by_overlap(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Prec@10 and user coverage of kNN by overlap, and MF."""

    def line(name: str, coverage: str, column: str = "value", *, dashes: bool = False, right: bool = False) -> PlotSeries:
        y = tuple(plotted(at_overlap(measured, n, coverage, column)) for n in OVERLAPS)
        return PlotSeries(name=name, x=x, y=y, form="dashes" if dashes else "line", right=right)

    x = tuple(map(float, OVERLAPS))
    series = (
        line("kNN, full average", "zero"),
        line("kNN, forgiven average", "forgive", dashes=True),
        PlotSeries(name="MF", x=x, y=(mf_by_coverage(measured),) * len(x)),
        line("user coverage", "zero", "user_coverage", dashes=True, right=True),
    )
    return (panel(series, x_label="minimum overlap", y_label="Prec@10", right_label="user coverage of kNN"),)
