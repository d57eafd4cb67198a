"""Figures of papers drawn again: bars, lines and points of each panel, and matrices."""

from dataclasses import replace
from typing import Any

import pytest
from tests.papers.reproduced import reproduced, without_data

from heldout.papers.charts import chart, charts
from heldout.papers.findings import Panel, PlotSeries
from heldout.reports.document import NARROW, WIDE, Layout, Spec


def panel(*series: PlotSeries, **options: Any) -> Panel:
    return Panel(title="", x_label="x", y_label="y", series=series, **options)


def layers(spec: Spec) -> list[dict[str, Any]]:
    """Layers with data, innermost."""
    if "data" in spec:
        return [spec]
    return [inner for layer in spec["layer"] for inner in layers(layer)]


def drawn(own: Panel, layout: Layout = WIDE) -> Any:
    return chart(replace(reproduced().experiments[0], panels=(own,))).spec(layout)


def test_a_figure_has_a_name_a_table_and_a_panel_for_each_of_the_paper() -> None:
    functions = charts(reproduced())
    assert list(functions) == ["sample-2000/table-1", "sample-2000/fig-2"] and not list(charts(without_data()))[1:]
    own = functions["sample-2000/fig-2"]()
    assert own is not None and (own.table, own.half) == ("sample-2000-fig-2", False) and "tiny" not in own.caption
    bars, lines = own.spec(WIDE)["concat"]
    assert bars["title"] == "Bars <&>" and lines["title"] == "Lines"
    assert own.spec(WIDE)["columns"] == 2 and own.spec(NARROW)["columns"] == 1
    left, right = bars["layer"]
    assert bars["resolve"] == {"scale": {"y": "independent"}}
    assert layers(left)[0]["encoding"]["y"]["title"] == "P@3" and layers(right)[0]["encoding"]["y"]["title"] == "a share"


def test_bars_are_next_to_each_other_and_begin_at_zero() -> None:
    """Two bars share 0.8 of the room around 0: their middles are at −0.2 and 0.2."""
    bars = [PlotSeries(name=name, x=(0.0, 1.0), y=(0.5, -1.0), form="bars") for name in "AB"]
    first, second = layers(drawn(panel(*bars, ticks=("None", "Random"))))
    assert [round(row["x"], 9) for row in (*first["data"]["values"], *second["data"]["values"])] == [-0.2, 0.8, 0.2, 1.2]
    assert all(a["to"] < b["from"] for a, b in zip(first["data"]["values"], second["data"]["values"], strict=True))
    assert first["mark"]["type"] == "rect" and first["encoding"]["y2"] == {"datum": 0}
    assert first["encoding"]["y"]["scale"]["zero"] and [row["where"] for row in first["data"]["values"]] == [
        "None",
        "Random",
    ]


def test_lines_have_points_that_tell_their_values_and_absent_values_are_left_out() -> None:
    line = PlotSeries(name="A", x=(1.0, 10.0, 100.0), y=(0.1, None, 0.3), form="dashes")
    (layer,) = layers(drawn(panel(line, log_x=True)))
    assert [(row["x"], row["text"]) for row in layer["data"]["values"]] == [(1.0, "0.1"), (100.0, "0.3")]
    assert layer["encoding"]["x"]["scale"]["type"] == "log" and layer["encoding"]["x"]["axis"]["values"] == [1, 10, 100]
    joined, points = layer["layer"]
    assert joined["mark"]["type"] == "line" and "tooltip" not in joined
    assert [tip["title"] for tip in points["encoding"]["tooltip"]] == ["Series", "x", "y"]


def test_lines_do_not_join_categories() -> None:
    (layer,) = layers(drawn(panel(PlotSeries(name="A", x=(0.0, 1.0), y=(0.1, 0.2)), ticks=("P", "AP"))))
    assert layer["mark"]["type"] == "point" and "layer" not in layer


def test_every_series_of_many_differs_from_the_others() -> None:
    many = tuple(PlotSeries(name=str(k), x=(1.0, 2000.0), y=(0.1, 0.2)) for k in range(12))
    looks = set()
    for k, layer in enumerate(layers(drawn(panel(*many)))):
        shapes = layer["layer"][1]["encoding"]["shape"]["scale"]["range"]
        looks.add((k % 8, shapes[k], tuple(layer["layer"][0]["mark"]["strokeDash"])))  # eight colours of the theme
    assert len(looks) == 12


def test_names_below_an_axis_are_upright_if_they_do_not_fit() -> None:
    bars = PlotSeries(name="A", x=(0.0, 1.0, 2.0, 3.0), y=(1.0,) * 4, form="bars")
    words = ("None", "Random", "Popularity", "the average rating of the item")
    wide, narrow = (layers(drawn(panel(bars, ticks=words), own))[0]["encoding"]["x"]["axis"] for own in (WIDE, NARROW))
    assert "labelAngle" not in wide and '["the average rating of the", "item"]' in wide["labelExpr"]
    assert narrow["labelAngle"] == -90 and '["the average rating of the item"]' in narrow["labelExpr"]


@pytest.mark.parametrize(("layout", "numbers"), [(WIDE, True), (Layout(width=80), False)])
def test_a_matrix_is_shades_with_numbers_if_there_is_room(layout: Layout, numbers: bool) -> None:
    rows = [PlotSeries(name=name, x=(0.0, 1.0), y=y) for name, y in (("P", (1.0, 0.25)), ("AP", (0.25, None)))]
    spec = drawn(panel(*rows, ticks=("P", "AP"), matrix=True), layout)
    assert [(row["first"], row["second"], row["text"]) for row in spec["data"]["values"]] == [
        ("P", "P", "1.00"),
        ("P", "AP", "0.25"),
        ("AP", "P", "0.25"),
    ]
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["rect", "text"][: 1 + numbers]
    assert spec["width"] < layout.width
