"""Paired differences: columns checked, and each pair's differences in bounded pieces."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from heldout.aggregations.aggregation import check_weights
from heldout.aggregations.moments import ONE_USER, effective_size
from heldout.errors import InputError, NotApplicableError
from heldout.tables.arrays import Float64, Int64

_PIECE = 1 << 20
_SMALL = 1 << 17
ROUNDING = 1e-14
"""A difference within this share of the larger value is none."""


def checked_rows(columns: Float64, pairs: Int64, weights: Float64 | None = None) -> Float64:
    """Convert columns to contiguous rows (columns × users); refuse those that a paired test cannot use."""
    users, width = columns.shape
    if users < 2:
        raise NotApplicableError("too few users for a paired test", found=users, expected="at least 2 users")
    if pairs.ndim != 2 or pairs.shape[1] != 2 or (pairs.size and (pairs.min() < 0 or pairs.max() >= width)):
        raise InputError(
            "these are not pairs of columns",
            found=pairs.tolist(),
            expected=f"rows of two column numbers from 0 to {width - 1}",
        )
    if weights is not None:
        check_weights(weights, users)
        if effective_size(weights) <= ONE_USER:
            raise NotApplicableError(
                "one user has all the weight", expected="at least 2 users with weight for a paired test"
            )
    rows = np.ascontiguousarray(columns.T, dtype=np.float64)
    refuse_missing(rows)
    return rows


def refuse_missing(rows: Float64) -> None:
    """Raise InputError with the first number of columns × users that is missing or infinite."""
    bad = np.argwhere(~np.isfinite(rows))
    if len(bad):
        column, user = bad[0].tolist()
        raise InputError(
            f"user {user} of column {column}",
            found=float(rows[column, user]),
            expected="a number for every user",
            hint="apply an undefined rule, or leave out the users without a value",
        )


def differences(rows: Float64, pairs: Int64) -> Iterator[tuple[slice, Float64]]:
    """The differences a − b of the pairs, some pairs × users at a time, with the slice of pairs they belong to.

    A difference that is nothing but rounding (both values nearly equal to 14 digits) is 0, lest equal systems be told
    apart by the order in which their folds were averaged.
    """
    step = max(1, _PIECE // max(1, rows.shape[1]))
    for start in range(0, len(pairs), step):
        part = slice(start, min(start + step, len(pairs)))
        a, b = rows[pairs[part, 0]], rows[pairs[part, 1]]
        d = a - b
        d[np.abs(d) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0.0
        yield part, d


def difference_sums(rows: Float64, pairs: Int64) -> tuple[Float64, Float64]:
    """Of each pair the sum of its differences, and the sum of their sizes."""
    totals, sizes = np.empty(len(pairs)), np.empty(len(pairs))
    if len(pairs) * rows.shape[1] <= _SMALL:  # not worth loading numba
        for part, d in differences(rows, pairs):
            totals[part], sizes[part] = d.sum(axis=1), np.abs(d).sum(axis=1)
        return totals, sizes
    from heldout.kernels.flips import pair_sums

    pair_sums(rows, np.ascontiguousarray(pairs, dtype=np.int64), ROUNDING, totals, sizes)
    return totals, sizes
