"""Figures of biases and of the truth: their room, their tooltips, and one scale for what is shown twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.biases.sample import small_findings
from tests.reports.truth_rows import ROWS, findings

from heldout.reports import biases, truth
from heldout.reports.charts.theme import Mode, config
from heldout.reports.document import NARROW, WIDE, Chart, Layout

LAYOUTS: list[tuple[str, Layout, Mode]] = [
    ("wide", WIDE, "light"),
    ("narrow", NARROW, "dark"),
    ("one column", Layout.inches(3.4), "paper"),
    ("two columns", Layout.inches(7), "paper"),
]


def _charts() -> dict[str, Chart]:
    rows = tuple(replace(row, bias_low=row.bias - 0.1, bias_high=row.bias + 0.1) for row in ROWS)
    every = {f"biases {name}": draw() for name, draw in biases.charts(small_findings()).items()}
    every |= {f"truth {name}": draw() for name, draw in truth.charts(findings(rows)).items()}
    return {name: chart for name, chart in every.items() if chart is not None}


CHARTS = list(_charts())


def _units(spec: dict[str, Any], inherited: dict[str, Any] | None = None) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Every mark with all its encodings."""
    encoding = {**(inherited or {}), **spec.get("encoding", {})}
    for inner in (spec.get("spec"), *spec.get("layer", ())):
        if inner is not None:
            yield from _units(inner, encoding)
    if "mark" in spec:
        yield spec["mark"], encoding


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize(("room", "layout", "mode"), LAYOUTS)
def test_charts_fit_their_room_and_are_readable(name: str, room: str, layout: Layout, mode: Mode) -> None:
    vl_convert = pytest.importorskip("vl_convert", reason="vl-convert is not installed")
    chart = _charts()[name]
    if chart.half and room == "wide":
        layout = Layout(width=436)
    svg = vl_convert.vegalite_to_svg({**chart.spec(layout), "config": config(mode)}, vl_version="6.4")
    width, height = (float(re.search(rf' {side}="([\d.]+)"', svg).group(1)) for side in ("width", "height"))  # type: ignore[union-attr]
    assert width <= layout.width + 12, (room, width)  # letters of this machine's fonts are not those of the estimate
    assert layout.paper or height >= 200
    sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)px"', svg)]
    assert sizes and min(sizes) >= (7 * 96 / 72 if layout.paper else 15)


@pytest.mark.parametrize("name", CHARTS)
def test_points_and_intervals_have_tooltips_and_axes_have_titles(name: str) -> None:
    for mark, encoding in _units(_charts()[name].spec(WIDE)):
        styles = mark.get("style", "") if isinstance(mark, dict) else ""
        if styles in ("estimate", "whisker", "bracket", "curve"):
            assert len(encoding["tooltip"]) >= 4 and all(field["title"] for field in encoding["tooltip"]), styles
        if styles == "estimate":
            assert encoding["x"]["title"]


@pytest.mark.parametrize("name", ["removed", "head", "uniform", "skew"])
def test_panels_of_a_sweep_have_one_scale_and_name_their_protocol(name: str) -> None:
    chart = biases.charts(small_findings())[name]()
    assert chart is not None
    spec = chart.spec(WIDE)
    assert "resolve" not in spec and spec["columns"] == 2  # Vega-Lite shares the scales of facets
    assert len({row["panel"] for row in spec["data"]["values"]}) == 2
    assert chart.spec(NARROW)["columns"] == 1


def test_systems_look_the_same_in_every_chart_and_give_way_to_the_one_in_focus() -> None:
    systems = list(small_findings().systems)
    for name in ("protocols", "removed", "classes"):
        chart = biases.charts(small_findings())[name]()
        assert chart is not None
        spec = chart.spec(WIDE)
        assert [param["name"] for param in spec["params"]] == ["focus"]
        for mark, encoding in _units(spec):
            if isinstance(mark, dict) and mark.get("style") == "estimate":
                assert encoding["color"]["scale"]["domain"] == encoding["shape"]["scale"]["domain"] == systems
                assert "focus" in encoding["opacity"]["condition"]["test"]
