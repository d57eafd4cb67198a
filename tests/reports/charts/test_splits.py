"""The figure of a split."""

from typing import Any

from tests.reports.splits import split

from heldout import read
from heldout.catalogue import make
from heldout.reports.charts import splits
from heldout.reports.charts.splits import chart
from heldout.reports.document import NARROW


def test_a_figure_has_a_mark_for_every_rating() -> None:
    spec: Any = chart(split(), title="by time").spec()
    parts = [row["part"] for row in spec["data"]["values"]]
    assert parts == ["train (12)"] * 12 + ["test (8)"] * 8  # later marks are on top
    assert spec["encoding"]["color"]["scale"]["domain"] == ["train (12)", "test (8)"]
    first = spec["data"]["values"][0]
    assert (first["x"], first["y"], first["user"], first["item"], first["when"]) == (0, 0, "0", "0", "0")


def test_figures_of_many_users_show_some_of_them_and_say_so(monkeypatch: Any) -> None:
    some: Any = chart(split(), users=2).spec(NARROW)
    assert some["encoding"]["y"]["title"] == "2 of 4 users" and some["width"] == NARROW.width
    assert {row["user"] for row in some["data"]["values"]} == {"0", "3"}
    monkeypatch.setattr(splits, "MOST_RATINGS", 12)
    fewer: Any = chart(split()).spec()
    assert len(fewer["data"]["values"]) <= 12 and fewer["encoding"]["y"]["title"] == "2 of 4 users"


def test_without_times_ratings_are_in_the_order_of_items() -> None:
    data = read({"user": [1, 1, 1, 2, 2, 2], "item": [1, 2, 3, 1, 2, 3], "rating": [1.0] * 6})
    spec: Any = chart(next(iter(make("split", "leave_out(1)").split(data, seed=1))), data).spec()
    assert spec["encoding"]["x"]["type"] == "quantitative" and "Time" not in str(spec["encoding"]["tooltip"])
