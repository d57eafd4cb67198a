"""Charts of a multiverse as data: columns, rows of options, marks of papers, and the map of rankings."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.reports.test_multiverse import grid, made_of, several, two

from heldout.reports.charts import theme
from heldout.reports.charts.multiverse import NARROW_COLUMNS, beyond, ranking_map, reach, specification_curve, winner_colours
from heldout.reports.document import NARROW, WIDE, Layout
from heldout.reports.multiverse import charts
from heldout.reports.multiverse_tables import MultiverseReport
from heldout.reports.render import figures
from heldout.universes.findings import MultiverseFindings, SpecificationRow

LAYOUTS = (WIDE, NARROW, Layout.inches(3.4), Layout.inches(7))


def curve(findings: MultiverseFindings, layout: Layout = WIDE, **changes: Any) -> tuple[Any, Any]:
    """The columns and the rows of the curve of the first pair."""
    pair = findings.pairs[0]
    words = {decision.name: decision.words for decision in findings.decisions}
    given: dict[str, Any] = {"systems": findings.names, "words": words, "exact": (), "here": "here", "layout": layout}
    spec = specification_curve(replace(pair.curve, **changes), (pair.first, pair.second), **given)
    above, below = spec["vconcat"]
    return above, below


def values(view: Any, layer: int) -> list[dict[str, Any]]:
    return view["layer"][layer]["data"]["values"]


def test_columns_bear_the_system_that_wins_most_of_their_universes() -> None:
    """Eight universes: the two in which B wins come first, then the six of A, in each of which it leads by 5%."""
    above, _ = curve(two())
    columns = values(above, 0)
    assert [column["system"] for column in columns] == ["B", "B", "A", "A", "A", "A", "A", "A"]
    assert [column["lead"] for column in columns] == ["B by 5.0%"] * 2 + ["A by 5.0%"] * 6
    assert {column["first"] for column in columns[2:]} == {"1 (100%)"} and columns[0]["second"] == "1 (100%)"
    assert [(column["at"], column["to"]) for column in columns] == [(k, k + 1) for k in range(8)]


def test_heights_are_shares_of_a_column_on_one_scale_for_each_decision() -> None:
    """Four columns of two universes: one option has 0, 1, 2, 0 of them, the other the rest; 2 of 2 is the full height."""
    rows = (SpecificationRow("cutoff", "1", (0, 1, 2, 0)), SpecificationRow("cutoff", "5", (2, 1, 0, 2)))
    _, below = curve(two(), sizes=(2, 2, 2, 2), effect=(-0.1, 0.1, 0.2, 0.3), first=(0,) * 4, second=(0,) * 4, rows=rows)
    assert [row["heights"] for row in values(below, 0)] == ["0490", "9409"]
    assert [row["universes"] for row in values(below, 0)] == ["3 (37.5%)", "5 (62.5%)"]
    # The largest share of a decision is its full height, and one universe of many is seen.
    rows = (SpecificationRow("seed", "1", (1, 20, 40, 0)),)
    _, below = curve(two(), sizes=(80,) * 4, effect=(-0.1, 0.1, 0.2, 0.3), first=(0,) * 4, second=(0,) * 4, rows=rows)
    assert values(below, 0)[0]["heights"] == "1490"


def test_an_option_without_a_value_has_no_height() -> None:
    rows = (SpecificationRow("split", "folds", (0,) * 8),)
    _, below = curve(two(), rows=rows)
    assert values(below, 0)[0]["heights"] == "0" * 8


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_option_and_decision_is_named_in_every_layout(layout: Layout) -> None:
    findings = two()
    _, below = curve(findings, layout)
    labels, heads = ([entry[key] for entry in values(below, k)] for k, key in ((2, "label"), (3, "words")))
    assert labels[:6] == [row.label for row in findings.pairs[0].curve.rows] and heads[:2] == ["target", "cut-off"]
    papers = [name for name, columns in findings.pairs[0].curve.papers if columns]
    assert len(labels) == 6 + len(papers) and heads[2:] == ["papers"] * bool(papers)
    ends = [row["base"] for row in values(below, 0)]
    assert ends == sorted(ends) and ends[-1] < below["height"]


def test_a_narrow_curve_joins_columns() -> None:
    above, below = curve(several(), NARROW)
    assert len(values(above, 0)) == NARROW_COLUMNS == len(values(below, 0)[0]["heights"])
    assert len(values(curve(several())[0], 0)) == len(several().pairs[0].curve.sizes)


def test_papers_that_the_grid_only_comes_near_are_marked_as_such() -> None:
    findings = two()
    pair = findings.pairs[0]
    (name, columns), *_ = [(name, columns) for name, columns in pair.curve.papers if columns]
    _, below = curve(findings)
    marks = [mark for mark in values(below, 4) if mark["paper"] == name]
    assert [mark["at"] for mark in marks] == sorted(set(columns)) and all(mark["near"] for mark in marks)


def test_the_scale_holds_zero_and_all_but_the_outermost() -> None:
    effects = (-2.0, *np.linspace(0.1, 0.2, 198).tolist(), 2.0)
    low, high = reach(effects)
    assert low < 0 < high < 0.3 and beyond(effects) == 2
    assert reach(()) == (-0.01, 0.01)
    above, _ = curve(two(), effect=(-9.0, -0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1))
    assert values(above, 0)[0]["effect"] == -9.0 and values(above, 0)[0]["lead"] == "B by 900.0%"


def test_a_system_has_the_colour_of_its_place_and_neither_its_own() -> None:
    systems = [f"S{k}" for k in range(19)]
    domain = winner_colours(systems)["domain"]
    colours = theme.config("light")["range"]["winner"]
    by_name = {name: colours[k % len(colours)] for k, name in enumerate(domain)}
    assert [by_name[name] for name in systems] == [theme.COLOURS["light"].systems[k % 8] for k in range(19)]
    assert by_name["neither"] == theme.COLOURS["light"].neither and len(set(domain)) == len(domain)


def test_the_map_has_a_mark_for_each_ranking() -> None:
    findings = several()
    agreement = findings.agreement
    spec = ranking_map(agreement, findings.universes, "cut-off", WIDE)
    rows = spec["data"]["values"]
    assert {row["order"]: row["n"] for row in rows} == {point.order: point.universes for point in agreement.points}
    assert [row["n"] for row in rows] == sorted((row["n"] for row in rows), reverse=True)
    assert rows[0]["option"] == agreement.levels[max(agreement.points, key=lambda p: p.universes).level]
    # One unit is as long across as up.
    (left, right), (low, high) = (spec["encoding"][axis]["scale"]["domain"] for axis in "xy")
    assert spec["width"] / (right - left) == pytest.approx(spec["height"] / (high - low))
    alone = replace(agreement, points=agreement.points[:1])
    assert len(ranking_map(alone, findings.universes, "cut-off", NARROW)["data"]["values"]) == 1


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_figure_is_wider_than_its_layout(layout: Layout) -> None:
    convert = pytest.importorskip("vl_convert")
    mode: theme.Mode = "paper" if layout.paper else "light"
    for name, draw in charts(made_of(several(), grid())).items():
        chart = draw()
        assert chart is not None, name
        svg = convert.vegalite_to_svg(figures.spec_for(chart, layout, mode), vl_version=figures.VEGA_LITE)
        match = re.search(r'width="([\d.]+)"', svg)
        assert match is not None and float(match[1]) <= layout.width + 2, name
        assert 'fill="black"' not in svg and "NaN" not in svg  # every colour is the theme's


def test_figures_are_the_same_bytes_each_time(tmp_path: Any) -> None:
    pytest.importorskip("vl_convert")
    report: MultiverseReport = made_of(several())
    for name in ("speccurve", "map"):
        for k in (1, 2):
            chart = charts(report)[name]()
            assert chart is not None
            figures.save(chart, tmp_path / f"{name}-{k}.svg")
        assert (tmp_path / f"{name}-1.svg").read_bytes() == (tmp_path / f"{name}-2.svg").read_bytes()
