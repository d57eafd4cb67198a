"""All methodologies on simulated data: every bar of Figure 2 is measured."""

from __future__ import annotations

from tests.papers.simulated import bench

from heldout.papers.analysis import paper_findings
from heldout.papers.bellogin2011.paper import PAPER
from heldout.papers.bellogin2011.works import METHODOLOGIES, METRICS, SPLITS, SYSTEMS


def test_bars_are_of_all_systems_methodologies_and_metrics() -> None:
    [figure] = paper_findings(PAPER, ["fig-2"], bench()).experiments
    assert len(figure.panels) == len(SPLITS) * len(METRICS) + 1
    for panel in figure.panels[:-1]:
        assert [series.name for series in panel.series] == list(SYSTEMS) and panel.ticks == tuple(
            m.name for m in METHODOLOGIES
        )
        assert all(value is not None and 0 <= value <= 1 for series in panel.series for value in series.y)
