"""Values of metrics, aggregated with their intervals."""

from __future__ import annotations

import numpy as np
import pytest
from tests.significance.test_batches import batch, made_up

from heldout.aggregations import Median


def test_intervals_by_hand() -> None:
    """1, 2 and 3 have the mean 2 and the standard error 1 ÷ √3; t of two degrees is 4.303."""
    values = np.array([[[1.0, 2, 3], [0.5, 0.5, 0.5]], [[0.0, 0, 0], [0.0, 0, np.nan]]])
    low, high = batch(values, np.ones((2, 3), dtype=np.bool_)).system_intervals(0.95)
    assert low[0, 0] == pytest.approx(-0.484, abs=1e-3) and high[0, 0] == pytest.approx(4.484, abs=1e-3)
    assert low[1].tolist() == high[1].tolist() == [0.5, 0.0]  # where all users have the same value


def test_a_median_has_no_interval() -> None:
    values, included = made_up(3)
    assert all(np.isnan(end).all() for end in batch(values, included, Median()).system_intervals(0.95))
