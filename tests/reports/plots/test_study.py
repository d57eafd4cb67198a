"""Figures for papers."""

from __future__ import annotations

import sys

import pytest
from tests.reports.kept import facts_of, outcome_of
from tests.reports.sample import SYSTEMS, facts

from heldout.errors import MissingExtraError, SpecError
from heldout.reports.plots import study as plots
from heldout.words import number

pytest.importorskip("matplotlib")


def test_the_leaderboard_draws_each_value_best_on_top():
    axes = plots.leaderboard_plot(facts()).axes[0]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [d.get_xdata()[0] for d in dots] == [row.value for row in facts().board(0)]
    assert [t.get_text() for t in axes.get_yticklabels()] == list(SYSTEMS)
    low, high = axes.get_ylim()
    assert low > high


def test_differences_are_hollow_where_not_significant():
    axes = plots.difference_plot(facts(), setting=2).axes[0]  # ALS over EASE by 0.0026: adjusted p = 1
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert dots[0].get_markerfacecolor() == "white"
    assert dots[-1].get_markerfacecolor() != "white"
    assert dots[0].get_xdata()[0] == pytest.approx(0.0026)


def test_the_settings_hold_every_value_with_the_leader_in_bold():
    axes = plots.settings_plot(facts()).axes[0]
    texts = {t.get_text(): t.get_fontweight() for t in axes.texts}
    assert texts["0.4682"] == "bold" and texts["0.4553"] == "normal" and texts["0.887"] == "bold"
    view = facts()
    for setting in facts().settings:
        assert all(number(r.value, view.digits(setting.id)) in texts for r in view.board(setting.id))


@pytest.mark.parametrize("kind", ["pdf", "svg", "png"])
def test_files_are_the_same_bytes_twice(tmp_path, kind):
    one, two = (plots.save(plots.leaderboard_plot(facts()), tmp_path / f"{n}.{kind}") for n in "ab")
    assert one.read_bytes() == two.read_bytes()


def test_an_unknown_format_test_or_setting_is_refused(tmp_path):
    figure = plots.leaderboard_plot(facts())
    with pytest.raises(SpecError, match=r"use \.pdf"):
        plots.save(figure, tmp_path / "x.gif")
    with pytest.raises(SpecError, match="its tests: permutation"):
        plots.difference_plot(facts(), test="sign")
    with pytest.raises(SpecError, match="no setting 99"):
        plots.leaderboard_plot(facts(), 99)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    for name in ("matplotlib", "matplotlib.figure", "matplotlib.colors"):
        monkeypatch.setitem(sys.modules, name, None)
    for draw in (plots.leaderboard_plot, plots.settings_plot):
        with pytest.raises(MissingExtraError, match=r"heldout\[plots\]"):
            draw(facts())


def test_differences_from_a_baseline_are_system_minus_baseline():
    found = facts_of(outcome_of(), metrics="P@10", baseline="Good")
    axes = plots.difference_plot(found).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Best", "Twin", "Poor"]
    assert axes.get_xlabel().startswith("system − Good, P@10")
    assert [round(line.get_xdata()[0], 4) for line in axes.lines if line.get_marker() == "o"] == [
        round(p.difference, 4) for p in found.comparisons
    ]
