"""Figures of data sets: what they draw, from small ratings whose counts can be checked by hand."""

from typing import Any

import pytest
from tests.reports.charts.everything import units

import heldout as ho
from heldout.data.profile import DataStep, DataSteps
from heldout.reports.charts.data import PARTS, TITLES, chart_name, charts, day
from heldout.reports.document import NARROW, WIDE, Layout, Spec

RATINGS = {"user": ["a", "a", "a", "b"], "item": ["x", "y", "z", "x"], "rating": [5, 3, 4, 5]}


def data_steps(ratings: Any, filters: Any = ()) -> DataSteps:
    record = ho.profile(ratings, filters).findings
    return DataSteps(record.source, "", tuple(DataStep(label, profile.to_dict()) for label, profile in record.steps))


FILTERED = data_steps(RATINGS, ["min_ratings(user=2)"])


def spec(data_set: DataSteps, part: str, layout: Layout = WIDE) -> Any:
    chart = charts([data_set])[chart_name(part)]()
    assert chart is not None
    return chart.spec(layout)


def encoding(drawn: Spec) -> Spec:
    """Of the last mark."""
    *_, (mark, _) = units(drawn)
    own: Spec = mark["encoding"]
    return own


def test_ratings_by_value_before_and_after_filters() -> None:
    """3, 4, 5, 5 as read; without b's rating 3, 4, 5."""
    before, after = spec(FILTERED, "values")["layer"]
    assert [(row["rating"], row["count"]) for row in before["data"]["values"]] == [("3", 1), ("4", 1), ("5", 2)]
    assert [(row["rating"], row["count"]) for row in after["data"]["values"]] == [("3", 1), ("4", 1), ("5", 1)]
    assert before["data"]["values"][2]["text"] == "2 (50.0%)"
    assert after["mark"]["width"]["band"] < before["mark"]["width"]["band"]  # both can be seen


def test_counts_of_users_are_in_logarithmic_bins() -> None:
    """a has 3 ratings and b has 1; the bar of each lies within its bin."""
    drawn = spec(FILTERED, "ratings_per_user")
    read = [row for row in drawn["data"]["values"] if row["step"] == "as read"]
    assert [(row["range"], row["count"]) for row in read] == [("1", 1), ("3", 1)]
    assert all(low <= row["start"] < row["end"] <= low + 1 for row, low in zip(read, (1, 3), strict=True))


def test_wider_bins_have_a_logarithmic_axis_with_round_numbers() -> None:
    """Users with 1, 2, …, 40 ratings."""
    pairs = [(f"u{user}", f"i{item}") for user in range(1, 41) for item in range(user)]
    data_set = data_steps({"user": [u for u, _ in pairs], "item": [i for _, i in pairs], "rating": [1.0] * len(pairs)})
    drawn = spec(data_set, "ratings_per_user")
    assert encoding(drawn)["x"]["scale"]["type"] == "log"
    assert encoding(drawn)["x"]["axis"]["values"] == [1, 2, 5, 10, 20]
    assert sum(row["count"] for row in drawn["data"]["values"]) == 40
    assert encoding(drawn)["color"]["legend"] is None  # there is one step
    assert [row["range"] for row in drawn["data"]["values"]][:5] == ["1", "2", "3", "4 to 5", "6 to 7"]


def test_popularity_is_a_curve_of_each_step() -> None:
    """x has 2 of 4 ratings: the most popular third of the items holds half."""
    drawn = spec(FILTERED, "popularity")
    read = [(row["x"], row["y"], row["up"]) for row in drawn["data"]["values"] if row["step"] == "as read"]
    assert read == [
        (0, 0, "0%"),
        (pytest.approx(1 / 3), 0.5, "50.0%"),
        (pytest.approx(2 / 3), 0.75, "75.0%"),
        (1, 1, "100%"),
    ]
    line, points = drawn["layer"]
    assert line["encoding"]["color"]["scale"]["domain"] == ["as read", "min_ratings(user=2)"]
    assert points["encoding"]["tooltip"][2] == {"field": "up", "title": "Share of ratings", "type": "nominal"}


def test_times_are_days_unless_another_clock_ticked() -> None:
    moments = data_steps(RATINGS | {"time": [978_300_000, 978_300_000, 1_000_000_000, 1_046_450_000]})
    drawn = spec(moments, "activity")
    assert encoding(drawn)["x"]["type"] == "temporal"
    assert drawn["data"]["values"][0]["range"].startswith("2000-12-31 to ")
    steps = spec(data_steps(RATINGS | {"time": [1, 2, 3, 4]}), "activity")
    assert encoding(steps)["x"]["type"] == "quantitative" and steps["data"]["values"][0]["range"].startswith("1 to ")
    assert day(978_300_000) == "2000-12-31" and day(5) == "5"


def test_figures_of_parts_that_the_data_lack_are_absent() -> None:
    absent = [part for part in PARTS if charts([FILTERED])[chart_name(part)]() is None]
    assert absent == ["activity"]
    assert set(PARTS) == set(TITLES)


def test_figures_of_a_second_data_set_are_numbered() -> None:
    names = list(charts([FILTERED, FILTERED]))
    assert "data-ratings-per-user" in names and "data-ratings-per-user-2" in names and len(names) == 2 * len(PARTS)
    second = charts([FILTERED, FILTERED])["data-values-2"]()
    assert second is not None and second.name == "data-values-2"


@pytest.mark.parametrize("layout", [WIDE, NARROW, Layout.inches(3.4)], ids=["wide", "narrow", "paper"])
def test_figures_keep_to_the_width_and_have_titles_and_tooltips(layout: Layout) -> None:
    timed = data_steps(RATINGS | {"time": [1, 2, 3, 4]}, ["min_ratings(user=2)"])
    for draw in charts([timed]).values():
        chart = draw()
        assert chart is not None and chart.caption and chart.table == "profile"
        drawn = chart.spec(layout)
        assert drawn["width"] == layout.width and drawn["autosize"]["contains"] == "padding"
        assert encoding(drawn)["tooltip"][0]["title"] == "Step"
        assert encoding(drawn)["x"]["title"] and encoding(drawn)["y"]["title"]
        assert layout.paper or drawn["height"] >= 200


def test_counts_such_as_plays_have_logarithmic_values() -> None:
    """22 artists played 1, 2, 4, … times, up to 2²¹."""
    plays = {"user": list(range(22)), "item": [1] * 22, "rating": [2.0**k for k in range(22)]}
    drawn = spec(data_steps(plays), "values")
    assert encoding(drawn)["x"]["scale"]["type"] == "log" and sum(row["count"] for row in drawn["data"]["values"]) == 22
    ratings = plays | {"rating": [k / 2 for k in range(22)]}
    assert "type" not in encoding(spec(data_steps(ratings), "values"))["x"]["scale"]
