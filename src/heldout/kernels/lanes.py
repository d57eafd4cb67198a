"""Sums in one order on every processor, which numpy and compiled code both follow.

Numbers are added in 32 lanes, which are folded in halves. What is left goes to four lanes, the first of which begins with
the sum so far, and what is left then is added one by one. A product is added without rounding it first.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import by_type, kernel, part

Float64 = NDArray[np.float64]

LANES = 32
SUM, PRODUCTS, SQUARES = range(3)
"""What is added: x, x · y, and (x − centre)²."""
_SPLIT = 134217729.0
_LEAST, _MOST = 1e-140, 1e140
"""Factors between these have a product whose rounding error is a number too."""


def add_product(a: Any, b: Any, c: Any) -> Any:
    """a · b + c, rounded once; arrays or numbers."""
    a, b, c = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (a, b, c)))
    result = np.asarray(a * b + c)
    inexact = np.isfinite(result) & (a * b != 0)
    if not inexact.any():
        return result
    usual = inexact & np.logical_and.reduce([(abs(x) > _LEAST) & (abs(x) < _MOST) for x in (a, b)])
    result[usual] = _add_product(a[usual], b[usual], c[usual])
    for at in zip(*np.nonzero(inexact & ~usual), strict=True):
        result[at] = float(Fraction(a[at]) * Fraction(b[at]) + Fraction(c[at]))
    return result


def _add_product(a: Float64, b: Float64, c: Float64) -> Float64:
    """Boldo and Melquiond (2008): the three parts of the sum, of which the two smaller ones are rounded to odd."""
    product, error = a * b, _product_error(a, b)
    rest, low = _two_sum(c, error)
    high, middle = _two_sum(product, rest)
    tail, lost = _two_sum(low, middle)
    bits = tail.view(np.int64)
    odd = np.where((lost > 0) == (tail > 0), bits + 1, bits - 1).view(np.float64)
    total: Float64 = high + np.where((lost != 0) & (bits & 1 == 0), odd, tail)
    return total


def _two_sum(a: Float64, b: Float64) -> tuple[Float64, Float64]:
    """The rounded sum and its error (Knuth 1969)."""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


def _product_error(a: Float64, b: Float64) -> Float64:
    """a · b less its rounded value (Dekker 1971)."""
    (a_high, a_low), (b_high, b_low) = _halves(a), _halves(b)
    error: Float64 = a_low * b_low - (((a * b - a_high * b_high) - a_low * b_high) - a_high * b_low)
    return error


def _halves(a: Float64) -> tuple[Float64, Float64]:
    scaled = _SPLIT * a
    high = scaled - (scaled - a)
    return high, a - high


def totals(x: Float64, y: Float64 | None = None) -> Float64:
    """Of each row Σ x, or Σ x · y: what `total` gives, in numpy."""
    users = x.shape[-1]
    y = y if y is None else np.broadcast_to(y, x.shape)

    def added(lanes: Float64, start: int) -> Float64:
        here = (..., slice(start, start + lanes.shape[-1]))
        return lanes + x[here] if y is None else add_product(x[here], y[here], lanes)

    lanes = np.zeros((*x.shape[:-1], LANES))
    whole = users // LANES * LANES
    for start in range(0, whole, LANES):
        lanes = added(lanes, start)
    lanes = (lanes[..., :8] + lanes[..., 8:16]) + (lanes[..., 16:24] + lanes[..., 24:])
    four = lanes[..., :4] + lanes[..., 4:]
    two = four[..., :2] + four[..., 2:]
    one = two[..., :1] + two[..., 1:]
    if users - whole >= 4:
        four = np.concatenate([one, np.zeros((*x.shape[:-1], 3))], axis=-1)
        for start in range(whole, users // 4 * 4, 4):
            four = added(four, start)
        two = four[..., :2] + four[..., 2:]
        one = two[..., :1] + two[..., 1:]
    for start in range(users // 4 * 4, users):
        one = added(one, start)
    return one[..., 0]  # type: ignore[no-any-return]


def steps_of_totals(rows: int, users: int) -> int:
    """About how many steps of the interpreter `totals` takes: some fifty calls of numpy for 32 users."""
    return 60 * (users // LANES + 8) + rows * users // 2


def fill_lanes(form: int, x: Any, y: Any, centre: Any, lanes: Any) -> None:
    """The lanes of as many users as fill them; numba compiles it to vector instructions."""
    raise NotImplementedError("only compiled kernels call this")


@by_type(add_product)
def _fused(a: Any, b: Any, c: Any) -> Any:
    from heldout.kernels.compiler import fused

    return lambda a, b, c: fused(a, b, c)


@by_type(fill_lanes)
def _filled(form: Any, x: Any, y: Any, centre: Any, lanes: Any) -> Any:
    from heldout.kernels.compiler import lane_loops

    added, multiplied, squared = lane_loops(LANES)

    def fill(form: Any, x: Any, y: Any, centre: Any, lanes: Any) -> None:
        if form == SUM:
            added(x, y, centre, lanes)
        elif form == PRODUCTS:
            multiplied(x, y, centre, lanes)
        else:
            squared(x, y, centre, lanes)

    return fill


@part
def _added(form: int, x: Any, y: Any, centre: float, u: int, so_far: float) -> Any:
    own = x[u] - centre
    return add_product(own, own if form == SQUARES else y[u] if form == PRODUCTS else 1.0, so_far)


@kernel(interpreted=False)
def total(form: int, x: Any, y: Any, centre: float, lanes: Any) -> Any:
    """The sum over a row; `y` is x where it is not used, `centre` 0, and `lanes` room for 32 numbers."""
    users = x.shape[0]
    whole, fours = users // LANES * LANES, users // 4 * 4
    fill_lanes(form, x, y, centre, lanes)
    for j in range(8):
        lanes[j] = (lanes[j] + lanes[j + 8]) + (lanes[j + 16] + lanes[j + 24])
    for j in range(4):
        lanes[j] += lanes[j + 4]
    result = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    a, b, c, d = result, 0.0, 0.0, 0.0
    for u in range(whole, fours, 4):
        a, b = _added(form, x, y, centre, u, a), _added(form, x, y, centre, u + 1, b)
        c, d = _added(form, x, y, centre, u + 2, c), _added(form, x, y, centre, u + 3, d)
    result = (a + c) + (b + d)
    for u in range(fours, users):
        result = _added(form, x, y, centre, u, result)
    return result
