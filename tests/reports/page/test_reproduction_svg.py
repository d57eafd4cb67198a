"""Panels of figures: round steps, bars from zero, logarithmic axes, and points that are not there."""

from __future__ import annotations

import re

from heldout.papers.findings import Panel, PlotSeries
from heldout.reports.page.reproduction_svg import panel_chart


def _panel(*series: PlotSeries, **options: object) -> str:
    return str(panel_chart(Panel(title="T", x_label="x", y_label="y", series=series, **options)))  # type: ignore[arg-type]


def _y(chart: str) -> list[str]:
    return re.findall(r'text-anchor="end"[^>]*>([^<]+)<', chart)


def test_words_of_axes_are_round() -> None:
    line = PlotSeries(name="A", x=(1.0, 2.0), y=(0.412, 0.448))
    assert _y(_panel(line)) == ["0.41", "0.42", "0.43", "0.44", "0.45"]
    assert _y(_panel(PlotSeries(name="A", x=(1.0,), y=(0.3,)))) != []
    assert _y(_panel(PlotSeries(name="A", x=(1.0,), y=(None,)))) != []


def test_places_that_were_measured_have_round_words_below() -> None:
    chart = _panel(PlotSeries(name="A", x=(0.0971999, 0.158213), y=(0.1, 0.2)))
    assert "0.0971999<" not in chart and ">0.10<" in chart
    assert ">0.25<" in _panel(PlotSeries(name="A", x=(0.25, 0.5), y=(0.1, 0.2)))


def test_bars_stand_on_zero_and_side_by_side() -> None:
    bars = [PlotSeries(name=name, x=(0.0, 1.0), y=(0.5, 1.0), form="bars") for name in "AB"]
    chart = _panel(*bars, ticks=("None", "Random"))
    assert chart.count("<rect") == 4 and "None" in chart and _y(chart)[0] == "0.0"
    places = [float(x) for x in re.findall(r'<rect x="([\d.]+)"', chart)]
    assert places[0] < places[2] < places[1] < places[3]


def test_bars_below_zero_hang_from_it() -> None:
    chart = _panel(PlotSeries(name="A", x=(0.0, 1.0), y=(-0.5, 1.0), form="bars"), ticks=("bpref", "infAP"))
    (below, above) = [(float(y), float(h)) for y, h in re.findall(r'<rect [^>]*y="([\d.]+)"[^>]*height="([\d.]+)"', chart)]
    assert _y(chart)[0] == "−0.5" and abs(below[0] - sum(above)) < 0.2 and abs(2 * below[1] - above[1]) < 0.3


def test_short_names_stand_beside_each_other_and_long_ones_below() -> None:
    def heights(names: list[str]) -> set[str]:
        chart = _panel(*(PlotSeries(name=name, x=(1.0,), y=(0.3,)) for name in names))
        return set(re.findall(r'y="([\d.]+)"[^>]*class="name', chart)) | set(
            re.findall(r'class="name[^>]* y="([\d.]+)"', chart)
        )

    assert len(heights(["A", "B", "C"])) == 1
    assert len(heights(["a very long name of a system that fills the whole of the line", "B"])) == 2


def test_missing_points_are_left_out_and_each_other_is_named_on_hovering() -> None:
    chart = _panel(PlotSeries(name="A", x=(1.0, 10.0, 100.0), y=(0.1, None, 0.3), form="dashes"), log_x=True)
    assert chart.count('class="dot') == 2 and "dashed" in chart and "A, 100: 0.3" in chart
    right = PlotSeries(name="cov", x=(1.0, 10.0), y=(1.0, 0.5), form="points", right=True)
    assert "cov (right)" in _panel(right, right_label="coverage")


def test_a_matrix_is_a_square_of_numbers_named_on_hovering() -> None:
    rows = [PlotSeries(name=name, x=(0.0, 1.0), y=y) for name, y in (("P", (1.0, 0.25)), ("AP", (0.25, None)))]
    chart = _panel(*rows, ticks=("P", "AP"), matrix=True)
    assert chart.count("<rect") == 4 and 'class="heat"' in chart
    assert "<title>P and AP: 0.250</title>" in chart and chart.count(">0.25<") == 2


def test_numbers_of_many_digits_stand_clear_of_the_name_of_their_axis() -> None:
    def left(*values: float) -> float:
        chart = _panel(PlotSeries(name="A", x=(1.0, 2.0), y=values))
        return min(float(x) for x in re.findall(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="end"', chart))

    assert left(0.1, 0.9) == 39.2  # "0.1": 26 + 3 letters × 6.4 − 6
    assert left(0.0199, 0.02) == 64.8  # "0.01990": 26 + 7 letters × 6.4 − 6


def test_words_of_two_lines_below_an_axis_stand_clear_of_its_name() -> None:
    def heights(tick: str) -> tuple[float, float]:
        bars = PlotSeries(name="A", x=(0.0, 1.0, 2.0, 3.0), y=(1.0, 1.0, 1.0, 1.0), form="bars")
        chart = _panel(bars, ticks=("None", "Random", "Popularity", tick))
        last = max(float(y) for y in re.findall(r'y="([\d.]+)" text-anchor="middle">', chart))
        return last, float(re.findall(r'y="([\d.]+)" text-anchor="middle" class="axis">x<', chart)[0])

    (one, near), (two, far) = heights("Mean"), heights("the average rating of the item")
    assert two > one and near - one >= 12 and far - two >= 12
    nine = _panel(PlotSeries(name="A", x=(0.0,), y=(1.0,), form="bars"), ticks=("1R-head", *"ABCDEFGH"))
    assert ">1R-<" in nine and ">head<" in nine


def test_lines_have_marks_of_their_own_and_crosses_are_seen_on_bars() -> None:
    chart = _panel(*(PlotSeries(name=name, x=(1.0, 2.0), y=(0.1, 0.2)) for name in "ABCDEFG"))
    assert [mark for mark, _ in re.findall(r">(\S) ([A-G])<", chart)] == list("●■▲◆▼✚●")
    points = _panel(PlotSeries(name="coverage", x=(0.0,), y=(0.5,), form="points"))
    assert ">× coverage<" in points and points.index('class="halo"') < points.index('class="cross')
