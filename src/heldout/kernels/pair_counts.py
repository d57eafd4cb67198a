"""How often pairs of a whole number and a value occur, counted in a hash that its caller enlarges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel


@kernel
def _slot(number: np.int64, bits: np.uint64, mask: np.uint64) -> np.uint64:
    state = (np.uint64(number) ^ (bits * np.uint64(0xD6E8FEB86659FD93))) * np.uint64(0x9E3779B97F4A7C15)
    return (state ^ (state >> np.uint64(29))) & mask


@kernel
def add_pairs(
    number: NDArray[np.int64],
    bits: NDArray[np.uint64],
    count: NDArray[np.int64],
    first: int,
    used: int,
    numbers: NDArray[np.int64],
    values: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> tuple[int, int]:
    """Count rows from `first` on until half of the slots, a power of two, are used: the rows and the slots used by then.

    Values are told by their bits; an empty `bits` is a 0 in every row, an empty `count` a 1. A slot of count 0 is free.
    """
    mask, most = np.uint64(counts.shape[0] - 1), counts.shape[0] // 2
    for row in range(first, number.shape[0]):
        value = bits[row] if bits.shape[0] else np.uint64(0)
        slot = _slot(number[row], value, mask)
        while counts[slot] > 0 and (numbers[slot] != number[row] or values[slot] != value):
            slot = (slot + np.uint64(1)) & mask
        if counts[slot] == 0:
            if used >= most:
                return row, used
            numbers[slot], values[slot] = number[row], value
            used += 1
        counts[slot] += count[row] if count.shape[0] else 1
    return number.shape[0], used
