"""Figures of splits."""

from __future__ import annotations

from tests.reports.splits import split

from heldout.reports.plots.splits import split_plot


def test_a_figure_has_a_mark_for_every_rating() -> None:
    axes = split_plot(split(), title="by time").axes[0]
    assert {c.get_label(): len(c.get_offsets()) for c in axes.collections} == {"train (12)": 12, "test (8)": 8}
    assert axes.get_title(loc="left") == "by time"
    assert split_plot(split(), users=2).axes[0].get_ylabel() == "2 of 4 users"
