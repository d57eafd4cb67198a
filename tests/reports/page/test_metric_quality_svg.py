"""Drawings of a page on metrics."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.reports.metric_trial import NAN, trial

from heldout.reports.axis import round_ticks
from heldout.reports.metric_quality_views import at_depth, of_name, sweep_by_metric
from heldout.reports.page.metric_quality_svg import (
    CELL,
    front_chart,
    heat_map,
    power_chart,
    reliability_chart,
    swap_chart,
    sweep_chart,
)


def broad(drawn: str) -> str:
    """The form for wide screens; the one for narrow screens says the same."""
    wide, narrow = (form for form in drawn.split("</svg>") if form)
    assert 'class="lines broad"' in wide and 'class="lines narrow"' in narrow
    for what in ('class="line ', 'class="band ', "<circle", 'class="name', 'class="mark"'):
        assert wide.count(what) == narrow.count(what)
    return wide


def test_a_heat_map_has_a_cell_for_each_two_in_the_order_of_the_tree() -> None:
    (matrix, _) = trial().between_metrics
    markup = heat_map(matrix, matrix.tau, title="τ")
    assert markup.count("<rect") == 9
    assert re.findall(r'class="value">([^<]*)<', markup).count("0.67") == 4
    assert "P and nDCG: τ 1.000, τ_AP 1.000, RBO 1.000" in markup
    labels = re.findall(r'text-anchor="end" class="">?([^<]*)<|text-anchor="end">([^<]*)<', markup)
    drawn = [first or second for first, second in labels]
    assert drawn == [{"<b>&": "&lt;b&gt;&amp;"}.get(name, name) for name in (matrix.labels[k] for k in matrix.order)]
    # Two merges: at height 0, and at 1 − 2/3, which is the furthest right.
    (tree,) = re.findall(r'<path d="([^"]*)" class="tree">', markup)
    assert tree.count("M") == 2
    assert 'class="tree"' not in heat_map(matrix, matrix.tau, title="τ", tree=False)


def test_the_least_alike_are_the_darkest() -> None:
    (matrix, _) = trial().between_metrics
    opacity = [float(x) for x in re.findall(r'fill-opacity="([\d.]+)"', heat_map(matrix, matrix.tau, title="τ"))]
    assert sorted(set(opacity))[0] == pytest.approx(0.04)
    assert len(set(opacity)) == 2
    assert CELL > 30  # numbers fit


def test_sweeps_have_bands_between_metrics_and_none_between_depths() -> None:
    quality = trial()
    sweeps = sweep_by_metric(quality.missing)
    markup = broad(sweep_chart(quality, at_depth(quality, 10), sweeps, kept="kept", title="t"))
    assert markup.count('class="line ') == markup.count('class="band ') == 3
    assert "nDCG@10: τ 0.970 [0.920, 0.970] at 5%" in markup
    depths = sweep_chart(quality, of_name(quality, "P"), sweeps, kept="kept", title="t")
    assert depths.count('class="line ') == 2
    assert "band" not in depths
    assert sweep_chart(quality, at_depth(quality, 10), {}, kept="kept", title="t") == ""


def test_curves_of_p_swaps_and_reliability() -> None:
    quality = trial()
    rows = at_depth(quality, 10)
    assert broad(power_chart(quality, rows, title="t")).count('class="line ') == 3
    assert "swap rate 2.0%" in swap_chart(quality, rows, title="t")
    drawn = broad(reliability_chart(quality, rows, title="t"))
    assert drawn.count('class="line ') == 3
    assert drawn.count('class="mark"') == 1
    assert swap_chart(trial(swaps=()), rows, title="t") == ""


def test_swaps_that_are_more_frequent_than_a_coin_stay_on_the_scale() -> None:
    quality = trial()
    rows = at_depth(quality, 10)
    often = tuple(replace(swap, bins=((0.0, 0.7, 4), (0.1, 0.1, 4))) for swap in quality.swaps)
    assert ">60%<" in swap_chart(quality, rows, title="t") and ">80%<" not in swap_chart(quality, rows, title="t")
    assert ">80%<" in swap_chart(trial(swaps=often), rows, title="t")


def test_axes_have_round_numbers() -> None:
    for low, high, shown in (
        (0.014, 0.309, ["0.05", "0.10", "0.15", "0.20", "0.25", "0.30"]),
        (0.493, 1.007, ["0.5", "0.6", "0.7", "0.8", "0.9", "1.0"]),
        (0.9, 0.92, ["0.900", "0.905", "0.910", "0.915", "0.920"]),
        (0.0, 1.0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
    ):
        assert [words for _, words in round_ticks(low, high)] == shown


def test_what_nothing_beats_stands_out() -> None:
    """nDCG@10 has the best p, P@10 the best τ; AUC has no τ and is not drawn."""
    markup = broad(front_chart(trial()))
    assert markup.count("<circle") == 6
    assert markup.count('class="dot best ') == 2
    assert re.findall(r'class="name best">([^<]*)<', markup) == ["P@10", "nDCG@10"]
    assert re.findall(r'class="name c\d+">([^<]*)<', markup) == ["&lt;b&gt;&amp;@10"]  # at its best depth, as in the table
    assert markup.count('class="lead"') == 3
    rows = tuple(row for row in trial().rows if row.missing_tau != row.missing_tau)
    assert front_chart(trial(rows=rows)) == ""
    assert rows[0].missing_tau != NAN
