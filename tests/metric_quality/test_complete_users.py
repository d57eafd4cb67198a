"""Users for whom every system has a value, and the metrics that share them."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.metric_quality.complete_users import complete_tables


def test_metrics_with_the_same_users_come_together() -> None:
    values = np.arange(24.0).reshape(4, 2, 3)
    values[1, 0, 2] = np.nan  # the third user has no value of one system by the second metric
    values[3, :, :] = np.nan  # and nobody has one by the fourth
    (first, whole), (second, part) = complete_tables(values)
    assert first.tolist() == [0, 2]
    assert np.array_equal(whole, values[[0, 2]])
    assert second.tolist() == [1]
    assert np.array_equal(part, values[1:2, :, :2])


def test_users_can_be_chosen() -> None:
    values = np.arange(24.0).reshape(4, 2, 3)
    values[1, 0, 2] = np.nan  # of a user who is not looked at: all metrics are complete for the others
    ((members, table),) = complete_tables(values, np.array([True, True, False]))
    assert members.tolist() == [0, 1, 2, 3]
    assert np.array_equal(table, values[:, :, :2])


def test_many_metrics_come_in_several_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.arange(30.0).reshape(5, 2, 3)
    assert [members.tolist() for members, _ in complete_tables(values)] == [[0, 1, 2, 3, 4]]
    monkeypatch.setattr("heldout.metric_quality.complete_users.AT_ONCE", 12)
    tables = list(complete_tables(values))
    assert [members.tolist() for members, _ in tables] == [[0, 1], [2, 3], [4]]
    assert np.array_equal(np.concatenate([table for _, table in tables]), values)


def test_complete_values_are_not_copied() -> None:
    values = np.zeros((3, 2, 4))
    ((_, table),) = complete_tables(values)
    assert np.shares_memory(table, values)
