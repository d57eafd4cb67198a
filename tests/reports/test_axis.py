"""Axes of drawings."""

from __future__ import annotations

from heldout.reports.axis import Axis, axis_of, widened


def test_an_axis_may_run_backwards() -> None:
    """From 1 down to 0.2, a value of 0.4 stands at (0.4 − 1) ÷ (0.2 − 1) = 0.75."""
    axis = Axis(start=1.0, end=0.2, ticks=[], label="kept")
    assert (axis.place(1.0), axis.place(0.2)) == (0.0, 1.0) and round(axis.place(0.4), 12) == 0.75
    assert Axis(start=3.0, end=3.0, ticks=[], label="").place(3.0) == 0.5


def test_axes_hold_their_values() -> None:
    assert widened([0.2, 0.4], zero=True)[0] == 0.0 and widened([0.2, 0.4])[0] < 0.2
    assert widened([-0.5, 0.4], zero=True)[0] < -0.5
    for values in ([0.3], [0.0], [5.0, 5.0], [-2.0, 7.0]):
        axis = axis_of(values, "")
        assert all(0 < axis.place(value) < 1 for value in values) and len(axis.ticks) >= 2
