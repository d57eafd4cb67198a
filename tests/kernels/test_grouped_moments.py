"""Moments of users' values within groups, checked by hand."""

from __future__ import annotations

import numpy as np

from heldout.kernels.grouped_moments import count_by_group, moments_by_group

VALUES = np.array([1.0, 2.0, 6.0, 9.0, 5.0])
KEPT = np.array([True, True, True, False, True])
STARTS = np.array([0, 2, 4, 5, 5])
"""Groups (1, 2), (6 and 9, which is left out), (5) and nobody."""


def moments(weights: list[float]) -> tuple[list[list[float]], list[float]]:
    """By group n, Σw, Σw², mean and Σw (x − mean)²; and Σ w x."""
    out, sums = np.full((5, 4), np.nan), np.full(4, np.nan)
    moments_by_group(VALUES, KEPT, np.array(weights, dtype=np.float64), np.arange(5), STARTS, out, sums)
    return out.T.tolist(), sums.tolist()


def test_without_weights_every_kept_user_counts_one() -> None:
    # (1 + 2) ÷ 2 = 1.5 and 0.5² + 0.5² = 0.5; 6 and 5 are alone; the last group is empty.
    by_group, sums = moments([])
    assert by_group == [[2, 2, 2, 1.5, 0.5], [1, 1, 1, 6, 0], [1, 1, 1, 5, 0], [0, 0, 0, 0, 0]]
    assert sums == [3, 6, 5, 0]


def test_weights() -> None:
    # Weights 1 and 3: (1 + 6) ÷ 4 = 1.75, and 0.75² + 3 · 0.25² = 0.75; Σw² = 1 + 9.
    by_group, sums = moments([1, 3, 2, 8, 0.5])
    assert by_group == [[2, 4, 10, 1.75, 0.75], [1, 2, 4, 6, 0], [1, 0.5, 0.25, 5, 0], [0, 0, 0, 0, 0]]
    assert sums == [7, 12, 2.5, 0]


def test_users_stand_in_groups_by_the_order() -> None:
    # Groups (5, 1), (2 and 9, which is left out), (6) and nobody.
    order, out, sums, counts = np.array([4, 0, 1, 3, 2]), np.empty((5, 4)), np.empty(4), np.empty(4)
    moments_by_group(VALUES, KEPT, np.empty(0), order, STARTS, out, sums)
    assert out[3].tolist() == [3, 2, 6, 0] and sums.tolist() == [6, 2, 6, 0]
    count_by_group(KEPT, order, STARTS, counts)
    assert counts.tolist() == out[0].tolist() == [2, 1, 1, 0]
