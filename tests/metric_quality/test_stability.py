"""Orders of systems in several draws."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.metric_quality.stability import SystemMeans, mean_tau, mean_value


def draw_of(*means: float, systems: tuple[str, ...] = ("A", "B", "C")) -> list[SystemMeans]:
    return [SystemMeans(metric="P@5", systems=systems, means=means)]


def test_the_mean_over_all_pairs_of_draws() -> None:
    draws = [draw_of(1, 2, 3), draw_of(4, 5, 6), draw_of(3, 2, 1)]
    assert mean_tau(draws) == {"P@5": pytest.approx(-1 / 3)}  # 1, −1 and −1


def test_systems_and_metrics_of_all_draws_alone_are_compared() -> None:
    without = draw_of(2, 1, systems=("C", "A"))  # C above A, as in the other
    assert mean_tau([draw_of(1, 9, 3), without]) == {"P@5": 1.0}
    assert mean_tau([draw_of(1, 2, 3), []]) == {}
    assert mean_tau([draw_of(1, 2, 3)]) == {}
    assert np.isnan(mean_tau([draw_of(1, 1, 1), draw_of(1, 2, 3)])["P@5"])


def test_undefined_values_count_or_not() -> None:
    values = np.array([1.0, np.nan])
    assert mean_value(values, undefined_as_zero=True) == 0.5
    assert mean_value(values, undefined_as_zero=False) == 1.0
    assert np.isnan(mean_value(values[1:], undefined_as_zero=False))
