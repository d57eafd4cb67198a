"""Values of whole systems beside those of users: over the tested alone, with the curves that can be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.catalogue import make
from heldout.metrics.measuring import Measured, measure
from heldout.metrics.metric import Metric
from heldout.metrics.system import own_metrics, refusal, system_value, with_system_values
from heldout.tables import Judged
from heldout.testing.lists import judged_lists

LISTS = judged_lists([[5, None], [5, None], [None, 5]], items=[[0, 1], [0, 2], [3, 0]], catalogue=4)
"""The first two users are given item 0 first, the third item 3; item 0 is what all of them like."""
EVERYONE = np.ones(3, bool)


def values(metrics: list[Metric], tested: np.ndarray = EVERYONE, judged: Judged = LISTS) -> Measured:
    return with_system_values(measure(judged, own_metrics(metrics)), judged, metrics, tested, None)


def test_columns_stand_in_the_order_of_the_metrics() -> None:
    metrics = [make("metric", text) for text in ("ItemCoverage@1", "RR", "Gini@1")]
    system_values = values(metrics)
    assert system_values.values[:, 0].tolist() == [2 / 4] * 3 and system_values.values[:, 1].tolist() == [1, 1, 0.5]
    assert system_values.values[:, 2] == pytest.approx([2 * (3 * 1 + 4 * 2) / (4 * 3) - 5 / 4] * 3)


def test_only_the_tested_make_the_value_of_a_system() -> None:
    coverage = make("metric", "ItemCoverage@1")
    first_two = values([coverage], np.array([True, True, False]))
    assert first_two.values.tolist() == [[1 / 4]] * 3
    assert np.isnan(values([make("metric", "Gini@1")], np.zeros(3, bool)).values).all()
    assert np.isnan(system_value(make("metric", "Gini@1"), judged_lists([[]], [[5]])))


def test_curves_are_drawn_also_of_metrics_of_users() -> None:
    metrics = [make("metric", "UROC"), make("metric", "RR")]
    system_values = values(metrics)
    assert list(system_values.curves) == ["UROC"] and system_values.values.shape == (3, 2)
    only_users = measure(LISTS, [metrics[1]])
    assert with_system_values(only_users, LISTS, [metrics[1]], EVERYONE, None) is only_users


def test_why_a_metric_has_no_value() -> None:
    assert refusal([make("metric", "RR"), make("metric", "Gini@1")], LISTS, EVERYONE, None) is None
    negative = judged_lists([[-2, 5]])
    error = refusal([make("metric", "nDCG(gain=exp2)@2")], negative, np.ones(1, bool), None)
    assert error is not None and "gain=exp2 of a rating of -2 is below 0" in str(error)
