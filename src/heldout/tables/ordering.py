"""Rows put in order of their codes, in time that grows with the rows alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.tables.arrays import Float64, Int64, Ints, Scalar


def order_of(codes: Ints, starts: Int64) -> Ints:
    """Row numbers by code, equal codes in their order; `starts` are the codes' pointers."""
    from heldout.kernels.grouping import order_by

    order = _numbers(len(codes))
    order_by(codes, starts[:-1].copy(), order)
    return order


def pair_order(user: Ints, item: Ints, n_users: int, n_items: int) -> Ints | None:
    """Row numbers by user, then item, equal pairs in their order; None when rows are distinct and sorted already."""
    from heldout.kernels.grouping import reorder_by

    if is_ascending(user, item):
        return None
    by_item = order_of(item, counted(item, n_items))
    order = _numbers(len(user))
    reorder_by(user, by_item, counted(user, n_users)[:-1].copy(), order)
    return order


def is_ascending(user: Ints, item: Ints) -> bool:
    """True if rows are distinct pairs in the order of users, then items."""
    from heldout.kernels.grouping import ascending

    return bool(ascending(user, item))


def counted(codes: Ints, n: int) -> Int64:
    """Row pointers of codes in 0…n−1, as `pointers` gives them."""
    from heldout.kernels.grouping import count_codes

    starts = np.zeros(n + 1, dtype=np.int64)
    count_codes(codes, starts[1:])
    return np.cumsum(starts, out=starts)


def summed(codes: Ints, values: Float64, n: int) -> Float64:
    """The sum of the values of each code in 0…n−1, added in their order: `np.bincount` without a wide copy of the codes."""
    from heldout.kernels.grouping import sum_codes

    sums = np.zeros(n)
    sum_codes(codes, values, sums)
    return sums


def taken(source: NDArray[Scalar], rows: Ints) -> NDArray[Scalar]:
    """source[rows], without making the row numbers 64 bits wide first."""
    from heldout.kernels.grouping import gather

    out = np.empty(len(rows), dtype=source.dtype)
    gather(source, rows, out)
    return out


def repeated(user: Ints, item: Ints, order: Ints) -> tuple[int, int]:
    """How many rows repeat a pair, and the first such row."""
    from heldout.kernels.grouping import repeats

    count, first = repeats(user, item, order)
    return int(count), int(order[first])


def _numbers(n: int) -> Ints:
    """Room for row numbers, half as large where they are small enough."""
    return np.empty(n, dtype=np.int32 if n < 2**31 else np.int64)
