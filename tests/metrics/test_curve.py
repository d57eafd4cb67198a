"""Curves: fewer points, and areas below them."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.metrics.curves.curve import OperatingCurve, area, best_f, stepped_area


def test_thinning_keeps_the_ends() -> None:
    x = np.linspace(0, 1, 10_000)
    thin = OperatingCurve("x", "y", x, x**2).thinned(50)
    assert len(thin.x) <= 50
    assert (thin.x[0], thin.x[-1]) == (0, 1)
    np.testing.assert_allclose(thin.y, thin.x**2)


def curve(x: list[float], y: list[float]) -> OperatingCurve:
    return OperatingCurve("x", "y", np.array(x), np.array(y))


def test_areas_by_trapezoids_and_by_steps() -> None:
    assert area(curve([0, 0.5, 1], [0, 1, 1])) == pytest.approx(0.25 + 0.5)
    assert stepped_area(curve([0.5, 1], [1, 0.5])) == pytest.approx(0.5 * 1 + 0.5 * 0.5)
    assert np.isnan(area(curve([0.5], [1]))) and np.isnan(area(curve([], []))) and np.isnan(stepped_area(curve([], [])))


def test_the_best_f_along_a_curve() -> None:
    """Precision 1 at recall ½: 2/3; precision ½ at recall 1: 2/3; ¾ at ¾: ¾."""
    assert best_f(curve([0.5, 0.75, 1], [1, 0.75, 0.5])) == pytest.approx(0.75)
    assert best_f(curve([0, 0], [0, 0])) == 0.0 and np.isnan(best_f(curve([], [])))


def test_few_points_are_not_thinned() -> None:
    points = curve([0, 1], [0, 1])
    assert points.thinned(2) is points
