"""Charts of the quality of metrics: the values that they show, and where they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.metric_quality.sample import small_trial
from tests.refusals import refused
from tests.reports.metric_trial import trial

from heldout.errors import SpecError
from heldout.metric_quality.findings import MetaFindings, MetricFindings
from heldout.reports import metric_quality
from heldout.reports.charts.theme import config
from heldout.reports.document import NARROW, WIDE, Layout, Spec
from heldout.reports.metric_quality import FIGURES

LAYOUTS = (WIDE, NARROW, Layout.inches(3.4), Layout.inches(7))


def spec(name: str, layout: Layout = WIDE, of: MetricFindings | None = None, **options: Any) -> Spec:
    chart = metric_quality.charts(MetaFindings(trials=(of or trial(),)))[name](**options)
    assert chart is not None
    return chart.spec(layout)


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of a specification outside its data."""
    if isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key != "data":
                yield from nodes(value)
    elif isinstance(node, list):
        for value in node:
            yield from nodes(value)


def data(of: Spec) -> list[dict[str, Any]]:
    """All rows of a specification."""
    return [row for node in nodes(of) for row in node.get("data", {}).get("values", [])]


def rows(of: Spec, metric: str) -> list[dict[str, Any]]:
    return [row for row in data(of) if row.get("Metric") == metric]


def test_the_front_has_points_with_errors_and_names_what_nothing_beats() -> None:
    chart = spec("front")
    (point,) = rows(chart, "nDCG@10")
    assert (point["mean"], point["low"], point["high"], point["tau"]) == (
        0.02,
        pytest.approx(0.01),
        pytest.approx(0.03),
        0.97,
    )
    assert point["Mean p ± SE"] == "0.020 ± 0.010"
    assert {row["label"] for row in data(chart)} == {None, "P@10", "nDCG@10", "<b>&@10"}
    assert not rows(chart, "AUC")  # it has no τ
    assert {row["Metric"] for row in data(spec("front", at="P"))} == {"P@5", "P@10"}
    assert {row["Metric"] for row in data(spec("front", at=5))} == {"P@5", "nDCG@5", "<b>&@5"}


def test_sweeps_have_a_band_and_points_that_have_a_tau() -> None:
    points = rows(spec("missing"), "P@10")
    assert [(row["share"], row["tau"], row["low"]) for row in points] == [
        *((1.0, 1.0, 1.0), (0.5, 0.99, pytest.approx(0.94)), (0.05, 0.99, pytest.approx(0.94)))
    ]
    assert points[1]["95% of samples"] == "0.940 to 0.990" and points[1]["Ratings kept"] == "50%"
    deeper = spec("missing", at="nDCG")
    assert {row["panel"] for row in data(deeper) if "panel" in row} == {"nDCG@5", "nDCG@10"}
    assert rows(spec("popularity", at=5), "P@5")[-1]["tau"] == 0.4


def test_all_charts_of_a_sweep_have_one_scale() -> None:
    def scales(at: Any) -> list[Any]:
        return [node["y"]["scale"]["domain"] for node in nodes(spec("missing", at=at)) if "scale" in node.get("y", {})]

    assert scales("P")[0] == scales(5)[0] == scales(None)[0]


def test_p_values_of_all_pairs_and_their_mean() -> None:
    chart = rows(spec("power"), "P@10")
    assert [row["p"] for row in chart if "Pair" in row] == [0.0, 0.0, 0.0001, 0.01, 0.1, 0.6]
    mean, *again = [row for row in chart if "mean" in row]
    assert again == [mean]  # the error and the mean
    assert (mean["mean"], mean["Mean p ± SE"]) == (0.1, "0.100 ± 0.010")
    assert [row["at"] for row in data(spec("power")) if "at" in row] == [0.05]  # the level


def test_swap_rates_by_tenths() -> None:
    cells = rows(spec("swaps"), "nDCG@10")
    assert [(row["tenth"], row["value"], row["text"], row["Swapped"]) for row in cells] == [
        *((1, 0.4, "40", "40.0%"), (2, 0.0, "0", "0%"))
    ]


def test_reliability_at_whole_numbers_of_users() -> None:
    """From 10 to four times the 1,000 users at hand."""
    curve = [row for row in rows(spec("reliability"), "P@10") if row["coefficient"] == "Eρ²"]
    users = [row["users"] for row in curve]
    assert users[0] == 10 and users[-1] == 4000 and 1000 in users and len(set(users)) == len(users) > 35
    assert all(isinstance(n, int) for n in users)
    at_hand = next(row for row in curve if row["at"])
    assert at_hand["value"] == pytest.approx(0.25 / (0.25 + 0.25 / 1000))


def test_agreement_has_all_pairs_in_the_order_of_the_tree() -> None:
    cells = {(row["system"], row["other"]): row for row in data(spec("agreement")) if "other" in row}
    assert len(cells) == 9
    assert cells["P", "<b>&"]["value"] == pytest.approx(2 / 3) and cells["P", "<b>&"]["text"] == "0.67"
    brackets = [row for row in data(spec("agreement")) if "x2" in row]
    assert len(brackets) == 6  # two merges of three lines
    assert {row["Joined at"] for row in brackets} == {"τ 1.000", "τ 0.667"}
    assert not [row for row in data(spec("agreement-ap")) if "x2" in row]


def test_agreement_has_one_scale_of_shades() -> None:
    names = ("agreement", "agreement-ap", "agreement-overlap", "depths")
    domains = [node["color"]["scale"]["domain"] for name in names for node in nodes(spec(name)) if "color" in node]
    assert len(domains) == 4 and all(domain == domains[0] for domain in domains)


def test_depths_of_all_metrics_or_of_one() -> None:
    assert {row["system"] for row in data(spec("depths"))} == {"P", "nDCG", "<b>&"}
    assert {row["system"] for row in data(spec("depths", at="nDCG"))} == {"nDCG"}
    for name, at in (("depths", 5), ("agreement", "P")):
        with refused(SpecError, where="figure", hint="name a"):
            spec(name, at=at)


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: f"{layout.width:.0f}")
def test_every_figure_fits_every_layout(name: str, layout: Layout) -> None:
    """The picture is as wide as the layout at most."""
    convert = pytest.importorskip("vl_convert")
    for of in (trial(), small_trial()):
        chart = {**spec(name, layout, of), "config": config("paper" if layout.paper else "light")}
        svg = convert.vegalite_to_svg(chart, vl_version="6.4")
        width = float(svg.partition('width="')[2].partition('"')[0])
        assert width <= layout.width + 1


@pytest.mark.parametrize("name", FIGURES)
def test_every_mark_has_a_tooltip_of_texts(name: str) -> None:
    """Bands, lines under points, rules to labels and reference rules have none."""
    chart = spec(name)
    marks = [node for node in nodes(chart) if isinstance(node.get("mark"), dict)]
    bare = {node["mark"].get("style") for node in marks if "tooltip" not in node["encoding"]}
    assert bare <= {"area", "curve", "leader", "reference"} and len(bare) < len(marks)
    fields = {own["field"] for node in marks for own in node["encoding"].get("tooltip", [])}
    assert all(isinstance(row[field], str) for row in data(chart) for field in fields & row.keys())


@pytest.mark.parametrize("name", FIGURES)
def test_a_focus_fades_other_metrics(name: str) -> None:
    chart = spec(name)
    assert {"name": "focus", "value": None} in chart["params"]
    faded = [node for node in nodes(chart) if "focus" in str(node.get("opacity", ""))]
    assert faded


def test_no_specification_has_looks() -> None:
    for name in FIGURES:
        words = str(spec(name))
        assert "var(--" not in words and "#" not in words and "container" not in words
