"""Sorting inside kernels equals numpy's stable sort, for every type of key."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.kernels.jit import kernel
from heldout.kernels.ordering import RUN, sort_key, sort_numbers, stable_order


@kernel
def keys_of(values: np.ndarray, keys: np.ndarray) -> None:
    for k in range(values.shape[0]):
        keys[k] = sort_key(values[k])


@pytest.mark.parametrize("n", [0, 1, 2, RUN - 1, RUN, RUN + 1, 2 * RUN + 1, 100, 1000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int32, np.uint64])
def test_order_is_that_of_a_stable_sort(dtype: type, n: int) -> None:
    draw = np.random.default_rng(n)
    values = draw.integers(0 if dtype is np.uint64 else -20, 20, n).astype(dtype)
    keys = np.empty(n, np.uint64)
    keys_of(values, keys)
    np.testing.assert_array_equal(stable_order(keys), np.argsort(values, kind="stable"))


def test_floats_at_the_edges_keep_their_order() -> None:
    """Infinities, subnormal numbers and both zeros; NaN comes last, whatever its sign."""
    least = np.nextafter(0.0, 1.0)
    values = np.array([np.nan, 1e308, -0.0, 0.0, -least, least, -np.inf, np.inf, -1.0, 1.0, -np.nan])
    keys = np.empty(len(values), np.uint64)
    keys_of(values, keys)
    assert stable_order(keys).tolist() == [6, 8, 4, 2, 3, 5, 9, 1, 7, 0, 10]


@pytest.mark.parametrize("n", [0, 1, RUN, RUN + 1, 5 * RUN, 1000])
def test_numbers_are_sorted(n: int) -> None:
    numbers = np.random.default_rng(n).integers(0, 2**63, n).astype(np.uint64)
    expected = np.sort(numbers)
    np.testing.assert_array_equal(sort_numbers(numbers, n, np.empty(n, np.uint64)), expected)
