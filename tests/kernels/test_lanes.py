"""Sums in lanes: numpy's and the compiled ones are equal, bit for bit, and products are rounded once."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from heldout.kernels.jit import Kernel
from heldout.kernels.lanes import add_product, totals
from heldout.kernels.paired import row_means, row_squares, spread_of_pairs


@pytest.mark.parametrize("scale", [0, 5, 150])
def test_a_product_is_added_without_rounding_it(scale: int) -> None:
    draw = np.random.default_rng(scale)
    a, b, c = (draw.normal(size=600) * 10.0 ** draw.integers(-scale, scale + 1, 600) for _ in range(3))
    b[::5] = a[::5]
    c[::3] = 0
    c[1::3] = -(a * b)[1::3]  # what is left is the rounding error of the product
    expected = [float(Fraction(x) * Fraction(y) + Fraction(z)) for x, y, z in zip(a, b, c, strict=True)]
    assert add_product(a, b, c).tolist() == expected


def test_a_product_that_is_not_finite_is_as_ieee_says() -> None:
    with np.errstate(all="ignore"):
        assert add_product(np.inf, 2.0, 1.0) == np.inf
        assert np.isnan(add_product(np.inf, 0.0, 1.0))
        assert add_product(1e200, 1e200, 1.0) == np.inf


def test_a_row_is_added_in_lanes() -> None:
    # lanes 0 and 8 are folded before 16: (1 + 1e16) + (−1e16 + 0) is 0, and in the order of the row it is 0 too;
    # 1 in lane 16 meets lane 24 first, and is not lost
    row = np.zeros((1, 32))
    row[0, [0, 8, 16, 24]] = 1e16, -1e16, 1.0, 1.0
    assert totals(row)[0] == 2.0


@pytest.mark.parametrize("users", [1, 3, 4, 7, 31, 32, 33, 35, 36, 64, 100, 1027])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("exponent", [0, 140])
def test_numpy_and_compiled_code_add_alike(users: int, *, weighted: bool, exponent: int) -> None:
    draw = np.random.default_rng(users)
    rows = np.round(draw.normal(size=(6, users)), 2) * 10.0 ** draw.integers(-exponent, exponent + 1, (6, users))
    weights = draw.random(users) if weighted else np.empty(0)
    pairs = np.array([(0, 1), (2, 3), (4, 4)])

    def results(kernels: list[Kernel], way: str) -> list[list[float]]:
        means, squares, mean, square = np.empty(6), np.empty(6), np.empty(3), np.empty(3)
        above, below = np.empty(3, np.int64), np.empty(3, np.int64)
        of_rows, of_squares, of_pairs = (getattr(kernel, way) for kernel in kernels)
        of_rows(rows, weights, means)
        of_squares(rows, weights, means, squares)
        of_pairs(rows, pairs, weights, 1e-14, mean, square, above, below)
        return [column.tolist() for column in (means, squares, mean, square, above, below)]

    kernels: list[Kernel] = [row_means, row_squares, spread_of_pairs]  # type: ignore[list-item]
    assert results(kernels, "interpret") == results(kernels, "compiled")
