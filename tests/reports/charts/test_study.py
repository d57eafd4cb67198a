"""Charts of studies: they show the findings, and their specifications are valid in every layout."""

from __future__ import annotations

import inspect
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from tests.refusals import refused
from tests.reports.charts.everything import NOVELTY, SECONDS, everything, rows_of, units
from tests.reports.sample import SYSTEMS, facts

from heldout.analysis.findings import Findings, distinct_contests
from heldout.errors import SpecError
from heldout.reports.charts import study, theme
from heldout.reports.document import NARROW, WIDE, Chart, Layout
from heldout.reports.render.figures import spec_for
from heldout.reports.views import margins, systems_shown
from heldout.text.numbers import number, p_number, signed

NAMES = {
    *("leaderboard", "differences", "margins", "margin-curve", "settings", "critical-difference", "curve"),
    *("pairwise-matrix", "user-differences", "user-activity", "warm-users", "user-columns", "item-popularity"),
    *("item-columns", "recommended-popularity", "precision-recall", "roc", "accuracy-beyond", "cost-quality"),
}
LAYOUTS = (WIDE, NARROW, Layout(width=640.0), Layout(width=448.0), Layout.inches(3.4), Layout.inches(7.0))
UNTOLD = {"zero", "reference", "leader", "rule", "label", "note"}
"""Styles of marks that stand for no number: axes, leading lines and texts next to marks."""


@cache
def complete() -> Findings:
    return everything()


def drawn(name: str, findings: Findings | None = None, **options) -> Chart:
    chart = study.charts(findings or complete())[name](**options)
    assert chart is not None
    return chart


@cache
def validator():
    import altair
    import jsonschema

    schema = Path(altair.__file__).parent / "vegalite/v6/schema/vega-lite-schema.json"
    return jsonschema.Draft7Validator(json.loads(schema.read_text(encoding="utf-8")))


def test_every_figure_has_a_function_with_its_options():
    charts = study.charts(complete())
    assert set(charts) == NAMES
    options = {name: tuple(inspect.signature(function).parameters) for name, function in charts.items()}
    both = dict.fromkeys(("differences", "critical-difference", "pairwise-matrix"), ("setting", "test"))
    assert {name: own for name, own in options.items() if own} == {
        "leaderboard": ("setting",),
        "curve": ("setting",),
        **both,
    }
    for name, function in charts.items():
        chart = function()
        assert chart is not None and chart.name == name and chart.title and chart.caption.endswith(".")


def test_figures_that_findings_lack_are_none():
    lacking = {name for name, function in study.charts(facts()).items() if function() is None}
    with_details = {"curve", "roc", "precision-recall", "recommended-popularity", "accuracy-beyond", "cost-quality"}
    groups = {"user-activity", "warm-users", "user-columns", "item-popularity", "item-columns"}
    assert lacking == with_details | groups | {"user-differences"}
    untested = replace(facts(), comparisons=(), layouts=())
    assert drawn("leaderboard", untested)
    assert study.charts(untested)["differences"]() is study.charts(untested)["pairwise-matrix"]() is None


@pytest.mark.parametrize("name", sorted(NAMES))
def test_specifications_are_valid(name):
    for layout in (WIDE, NARROW):
        errors = [str(error.message)[:300] for error in validator().iter_errors(spec_for(drawn(name), layout))]
        assert errors == []


def test_altair_goes_on_from_a_specification():
    import altair

    chart = altair.Chart.from_dict(spec_for(drawn("margins"))).properties(title="Mine")
    assert chart.to_dict()["title"] == "Mine"


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", sorted(NAMES))
def test_specifications_leave_looks_to_the_theme(name, layout):
    spec = drawn(name).spec(layout)
    assert json.dumps(spec, allow_nan=False)
    encodings = json.dumps([unit["encoding"] for unit, _ in units(spec)])
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|var\(|\"container\"", encodings)
    styles = {unit["mark"]["style"] for unit, _ in units(spec)}
    assert styles <= set(theme.config("light")["style"])
    assert {unit["mark"].get("color") for unit, _ in units(spec)} == {None}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", sorted(NAMES))
def test_marks_have_tooltips_of_text(name, layout):
    told = 0
    for unit, rows in units(drawn(name).spec(layout)):
        fields = unit["encoding"].get("tooltip") or []
        assert fields or unit["mark"]["style"] in UNTOLD, unit["mark"]
        for field in fields:
            texts = [row[field["field"]] for row in rows]
            assert all(isinstance(text, str) and text for text in texts), (unit["mark"], field)
            told += len(texts)
    assert told


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", sorted(NAMES - {"margin-curve"}))
def test_systems_have_the_same_colours_and_markers_everywhere(name, layout):
    channels = [
        unit["encoding"].get(channel, {}) for unit, _ in units(drawn(name).spec(layout)) for channel in ("color", "shape")
    ]
    by_system = [channel for channel in channels if channel.get("field") == "system"]
    assert by_system or name == "recommended-popularity"
    order = [row.system for row in complete().board(0)]
    assert all(channel["scale"]["domain"] == order for channel in by_system if len(channel["scale"]["domain"]) == len(order))
    assert all(channel["scale"]["domain"] == order[: len(channel["scale"]["domain"])] for channel in by_system)


def test_the_leaderboard_shows_values_and_intervals():
    for setting in (0, 7):
        board = [row for row in complete().board(setting) if row.value is not None]
        rows = rows_of(drawn("leaderboard", setting=setting).spec())
        assert [(row["system"], row["value"], row["low"], row["high"]) for row in rows] == [
            (row.system, row.value, row.low, row.high) for row in board
        ]
        assert [row["Value"] for row in rows] == [number(row.value, complete().digits(setting)) for row in board]


def test_differences_are_those_of_the_setting_and_test():
    for setting, test in ((0, None), (4, "t")):
        pairs = complete().against_others(setting, test or complete().tests(setting)[0])
        rows = rows_of(drawn("differences", setting=setting, test=test).spec())
        assert [(row["system"], row["value"], row["low"], row["high"]) for row in rows] == [
            (pair.b, pair.difference, pair.low, pair.high) for pair in pairs
        ]
        assert [row["hole"] for row in rows] == [not pair.significant(0.05) for pair in pairs]
        assert [row["p"] for row in rows] == [p_number(pair.p_adjusted) for pair in pairs]
    with refused(SpecError, hint="its tests"):
        drawn("differences", test="wilcoxon")


def test_margins_are_shares_with_intervals_on_the_same_scale():
    rows = rows_of(drawn("margins").spec(), "margins")
    by_setting = {complete().setting(row.setting).words: (row, held) for row, held in margins(complete())}
    assert [row["Setting"] for row in rows] == list(by_setting)
    for row in rows:
        verdict, held = by_setting[row["Setting"]]
        assert row["value"] == held.margin and row["system"] == verdict.leader
        assert row["low"] <= row["value"] <= row["high"]
        test = complete().deciding_test(verdict.setting)
        pair = complete().pair(verdict.setting, test, held.a, held.b)
        mean = (pair.value_a + pair.value_b) / 2
        assert row["high"] - row["low"] == pytest.approx((pair.high - pair.low) / mean)


def test_the_margin_curve_is_sorted_and_counts_outcomes():
    rows = rows_of(drawn("margin-curve").spec())
    assert [row["value"] for row in rows] == sorted(row["value"] for row in rows) and len(rows) == 14
    assert {row["outcome"] for row in rows} == {
        "another system wins (14.3%)",
        "no significant winner (28.6%)",
        "EASE wins (57.1%)",
    }


def test_cells_of_settings_are_the_values():
    rows = rows_of(drawn("settings").spec(), "settings")
    assert len(rows) == len(distinct_contests(complete())) * len(SYSTEMS)
    by_label = {setting.words: setting.id for setting in complete().contests}
    for row in rows:
        key = by_label[row["Setting"]]
        assert row["Value"] == number(complete().value(key, row["system"]), complete().digits(key))
        assert row["shade"] is None or 0 <= row["shade"] <= 1
    best = {row["Setting"]: row["system"] for row in rows if row["shade"] == 1}
    assert best == {setting.words: complete().leader(setting.id) for setting in complete().contests}


def test_the_matrix_has_differences_above_and_p_below_the_diagonal():
    cells = {cell["Pair"]: cell for cell in rows_of(drawn("pairwise-matrix").spec())}
    pairs = complete().pairs(0, complete().deciding_test(0))
    assert len(cells) == 2 * len(pairs) == 30
    for pair in pairs:
        above, below = cells[f"{pair.a} − {pair.b}"], cells[f"{pair.b} − {pair.a}"]
        assert above["label"] == f"{signed(pair.difference, 4)}\nd {number(pair.effect, 2)}"
        assert (above["shade"] > 0) == pair.significant(0.05) and below["shade"] is None
        assert below["label"] == p_number(pair.p_adjusted).replace("< 0.001", "<.001")


def test_the_critical_difference_diagram_joins_systems_that_do_not_differ():
    for layout in (WIDE, NARROW):
        for test, groups in ((None, {"ALS(factors=50, alpha=1), UserKNN(k=100)"}), ("friedman", {", ".join(SYSTEMS[:3])})):
            spec = drawn("critical-difference", test=test).spec(layout)
            marks = [rows for unit, rows in units(spec) if unit["mark"]["style"] == "bracket" and "Group" in rows[0]]
            assert {row["Group"] for rows in marks for row in rows} == groups
    with refused(SpecError, hint="in all pairs"):
        drawn("critical-difference", test="wilcoxon")


def test_gains_and_losses_are_the_curve():
    rows = rows_of(drawn("user-differences").spec())
    assert [row["value"] for row in rows] == [0.5, 0.25, 0.0, 0.0, -0.25]
    assert [row["system"] for row in rows] == [SYSTEMS[0], SYSTEMS[0], None, None, SYSTEMS[1]]
    texts = [row["text"] for unit, own in units(drawn("user-differences").spec()) for row in own if "text" in row]
    assert [text.split(" are ")[0] for text in texts] == ["600 users (60%)", "250 users (25%)", "150 (15%) equal"]


@pytest.mark.parametrize("layout", [WIDE, NARROW])
def test_groups_show_every_value_of_every_table(layout):
    for name in ("user-activity", "warm-users", "user-columns", "item-popularity", "item-columns"):
        spec = drawn(name).spec(layout)
        of_name = {"user-columns": ("user-gender", "user-occupation"), "item-columns": ("item-genre",)}.get(name, (name,))
        for own in (group for group in complete().pictures.groups if group.by in of_name):
            rows = rows_of(spec, own.by)
            assert {(row["system"], row["Group"]): row["value"] for row in rows} == {
                (system, group): value
                for system, line in zip(own.systems, own.values, strict=True)
                for group, value in zip(own.groups, line, strict=True)
                if value is not None
            }
            assert all((row["low"] is None) == (not own.low) for row in rows)


def test_tables_of_one_metric_have_one_scale():
    scales = [
        unit["encoding"]["x"]["scale"]["domain"]
        for unit, _ in units(drawn("user-columns").spec())
        if unit["mark"]["style"] == "estimate"
    ]
    assert len(scales) == 2 and scales[0] == scales[1]


def test_shares_of_popularity_add_up():
    rows = rows_of(drawn("recommended-popularity").spec())
    shares = complete().pictures.popularity
    for name, own in zip(shares.names, shares.shares, strict=True):
        parts = [row["to"] - row["from"] for row in rows if row["system"] == name]
        assert parts == pytest.approx([share for share in own if share])


def test_curves_pass_through_their_points():
    for name, curves in (("precision-recall", complete().pictures.precision_recall), ("curve", complete().curves)):
        rows = rows_of(drawn(name).spec(), name)
        for curve in curves:
            own = [(row["x"], row["y"]) for row in rows if row["system"] == curve.system]
            assert own == list(zip(curve.x, curve.y, strict=True))
    assert study.charts(complete())["curve"](setting=0) is None
    with refused(SpecError, hint="its settings"):
        study.charts(complete())["curve"](setting=99)


def test_trade_offs_and_costs_have_a_point_for_each_system():
    rows = {row["system"]: row for row in rows_of(drawn("accuracy-beyond").spec())}
    assert {system: row["x"] for system, row in rows.items()} == {row.system: row.value for row in complete().board(8)}
    assert set(NOVELTY) == {row["x"] for row in rows.values()}
    assert {system: row["y"] for system, row in rows.items()} == {row.system: row.value for row in complete().board(0)}
    seconds = {row["system"]: row["x"] for row in rows_of(drawn("cost-quality").spec())}
    assert seconds == {s: max(0.001, 1.25 * t) for s, t in zip(SYSTEMS, SECONDS, strict=True)}


def test_more_systems_than_colours():
    """Systems without a colour of their own are in the leaderboard, in the colour of its marks."""
    copies = {name: f"Copy{k}({name})" for k, name in enumerate(SYSTEMS)}
    board = [replace(row, system=copies[row.system], rank=row.rank + 6) for row in complete().leaderboard]
    systems, rows = (*SYSTEMS, *copies.values()), (*complete().leaderboard, *board)
    many = replace(complete(), systems=systems, leaderboard=rows)
    coloured = systems_shown(many, theme.MOST_SERIES)
    spec = drawn("leaderboard", many).spec()
    assert len(rows_of(spec)) == 12 > len(coloured)
    point = next(unit for unit, _ in units(spec) if unit["mark"]["style"] == "estimate")
    assert point["encoding"]["color"]["condition"]["scale"]["domain"] == coloured
    assert {row["system"] for row in rows_of(drawn("settings", many).spec(), "settings")} == set(coloured)
