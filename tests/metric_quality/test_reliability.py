"""Variance components by hand and on drawn data."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.metric_quality.reliability import reliability, variance_components


def test_components_by_hand() -> None:
    # System means 1.5 and 4.5, user means 2 and 4: mean squares 9, 4 and 1.
    assert variance_components(np.array([[1.0, 2.0], [3.0, 6.0]])) == (4.0, 1.5, 1.0)
    (row,) = reliability(np.array([[[1.0, 2.0], [3.0, 6.0]]]), ["m"])
    assert row.relative == 4 / (4 + 1 / 2)
    assert row.absolute == 4 / (4 + 2.5 / 2)
    assert (row.of_systems, row.of_users, row.of_rest) == (4 / 6.5, 1.5 / 6.5, 1 / 6.5)
    assert row.users_needed == 5  # 19 · 1/4 = 4.75
    assert row.with_users(2) == pytest.approx((row.relative, row.absolute))
    assert row.with_users(8) == pytest.approx((4 / (4 + 1 / 8), 4 / (4 + 2.5 / 8)))


def test_components_are_found_again() -> None:
    draw = np.random.default_rng(4)
    table = draw.normal(0, 2, (400, 1)) + draw.normal(0, 3, (1, 400)) + draw.normal(0, 1.5, (400, 400))
    assert variance_components(table) == pytest.approx((4, 9, 2.25), rel=0.25)


def test_no_difference_no_reliability() -> None:
    (row,) = reliability(np.array([[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]]), ["m"])
    assert row.users_needed is None
    assert np.isnan(row.relative)
    (one,) = reliability(np.array([[[1.0, np.nan], [1.0, 2.0]]]), ["m"])
    assert one.users == 1
    assert np.isnan(one.relative)
