"""Figure 2, and values by the number of sampled items."""

from __future__ import annotations

from heldout.papers.bellogin2011.rules import by_sample, error_of, value_of
from heldout.papers.bellogin2011.works import METHODOLOGIES, METRICS, SPLITS, SYSTEMS
from heldout.papers.figures import bars, panel
from heldout.papers.findings import Panel, PlotSeries
from heldout.papers.paper import MeasuredTables


def methodologies(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Bars by methodology, a panel for each split and metric, and RMSE."""
    names = tuple(methodology.name for methodology in METHODOLOGIES)
    panels = [
        panel(
            bars(
                tuple(SYSTEMS), [[value_of(measured, split, name, system, metric) for name in names] for system in SYSTEMS]
            ),
            title=split,
            y_label=metric,
            ticks=names,
        )
        for metric in METRICS
        for split in SPLITS
    ]
    errors = bars(tuple(SYSTEMS), [[error_of(measured, split, system) for split in SPLITS] for system in SYSTEMS])
    return (*panels, panel(errors, title="RMSE", y_label="RMSE", ticks=SPLITS))


def by_sampled_items(measured: MeasuredTables) -> tuple[Panel, ...]:
    """Lines by the number of sampled items, a panel for each metric and split."""
    panels = []
    for metric in METRICS:
        for split in SPLITS:
            lines = []
            for system in SYSTEMS:
                values = by_sample(measured, split, system, metric)
                lines.append(PlotSeries(name=system, x=tuple(map(float, values)), y=tuple(values.values())))
            panels.append(panel(lines, title=split, x_label="sampled items N", y_label=metric, log_x=True))
    return tuple(panels)
