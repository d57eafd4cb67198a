"""Means and spreads of rows, weighed and not, and means over folds."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.kernels.paired import mean_over_folds, row_means, row_squares, spread_of_pairs

ROWS = np.random.default_rng(1).random((3, 50))
WEIGHTS = np.arange(50.0)
PAIRS = np.array([[0, 1], [2, 0]])


@pytest.mark.parametrize("weights", [np.empty(0), WEIGHTS], ids=["alike", "weighed"])
def test_means_and_spreads_are_those_of_numpy(weights: np.ndarray) -> None:
    each = weights if len(weights) else None
    out = np.empty(3)
    row_means(ROWS, weights, out)
    np.testing.assert_allclose(out, np.average(ROWS, axis=1, weights=each), rtol=1e-13)
    squares = np.empty(3)
    row_squares(ROWS, weights, out, squares)
    np.testing.assert_allclose(squares, np.average((ROWS - out[:, None]) ** 2, axis=1, weights=each), rtol=1e-13)
    mean, square, greater, less = np.empty(2), np.empty(2), np.empty(2, np.int64), np.empty(2, np.int64)
    spread_of_pairs(ROWS, PAIRS, weights, 1e-12, mean, square, greater, less)
    for p, (a, b) in enumerate(PAIRS):
        gaps = ROWS[a] - ROWS[b]
        assert mean[p] == pytest.approx(np.average(gaps, weights=each))
        assert square[p] == pytest.approx(np.average((gaps - mean[p]) ** 2, weights=each))
        assert (greater[p], less[p]) == ((gaps > 0).sum(), (gaps < 0).sum())


def test_differences_of_rounding_are_none() -> None:
    rows = np.array([[0.1 + 0.2, 1.0, 0.0], [0.3, 0.5, 0.0]])
    mean, square, greater, less = np.empty(1), np.empty(1), np.empty(1, np.int64), np.empty(1, np.int64)
    spread_of_pairs(rows, np.array([[0, 1]]), np.empty(0), 1e-12, mean, square, greater, less)
    assert (greater[0], less[0], mean[0]) == (1, 0, 0.5 / 3)


def test_a_user_is_averaged_over_the_included_folds_with_a_value() -> None:
    """User 0 in three cells, the last not included; user 1 in one without a value; user 2 in none that weighs."""
    rows = np.array([[1.0, 5.0, 9.0, np.nan, 4.0]])
    user, included = np.array([0, 0, 0, 1, 2]), np.array([True, True, False, True, True])
    out, room = np.empty((1, 3)), np.empty(3)
    mean_over_folds(rows, user, included, np.array([3.0, 1.0, 1.0, 1.0, 0.0]), out, room)
    np.testing.assert_array_equal(out, [[(3 * 1 + 5) / 4, np.nan, np.nan]])
