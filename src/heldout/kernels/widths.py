"""Scores of either width: what kernels for float32 ask of float64, decided when they are compiled.

Rounding to float32 keeps the order but for values that become equal, so the fast kernels work on rounded rows, and only
what became equal is put in order again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import by_type, kernel
from heldout.kernels.ordering import sort_key, stable_order


def is_double(values: Any) -> bool:
    """Whether the values are float64."""
    return bool(values.dtype == np.float64)


def single(values: Any) -> Any:
    """The values rounded to float32; an array of float32 as it is."""
    return values.astype(np.float32) if is_double(values) else values


@by_type(is_double)
def _is_double(values: Any) -> Any:
    if str(values.dtype) == "float64":
        return lambda values: True
    return lambda values: False


@by_type(single)
def _single(values: Any) -> Any:
    if str(values.dtype) == "float64":
        return lambda values: values.astype(np.float32)
    return lambda values: values


@kernel
def lowest(values: Any) -> Any:
    """The lowest finite number of the values' width."""
    least = np.empty(1, values.dtype)
    least[0] = -np.inf
    return np.nextafter(least[0], np.float32(0))


@kernel
def order_group(values: Any, place: Any, low: Any, high: Any) -> None:
    """Put places low…high−1 by descending value; equal values keep their order."""
    in_order = True
    for q in range(low + 1, high):
        in_order = in_order and values[place[q]] <= values[place[q - 1]]
    if in_order:
        return
    key, group = np.empty(high - low, np.uint64), np.empty(high - low, np.int64)
    for q in range(low, high):
        key[q - low], group[q - low] = sort_key(-values[place[q]]), place[q]
    order = stable_order(key)
    for q in range(low, high):
        place[q] = group[order[q - low]]
