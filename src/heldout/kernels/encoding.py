"""Ids into codes: a table where whole numbers lie close together, a hash where they do not, and for hashes of texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from heldout.kernels.jit import kernel


@kernel
def bounds(numbers: Any) -> Any:
    """The smallest and the largest of some whole numbers; there is at least one."""
    low, high = numbers[0], numbers[0]
    for value in numbers:
        low = min(low, value)
        high = max(high, value)
    return low, high


@kernel
def mark(numbers: Any, low: int, seen: Any) -> None:
    """Set `seen[id − low]` for every id met."""
    for value in numbers:
        seen[value - low] = True


@kernel
def look_up(numbers: Any, low: int, table: Any, codes: Any) -> None:
    """The code of every id by a table over low…low + n − 1; −1 where it has none."""
    n = table.shape[0]
    for k in range(numbers.shape[0]):
        at = numbers[k] - low
        codes[k] = table[at] if 0 <= at < n else -1


@kernel
def _slot(value: Any, mask: Any) -> Any:
    state = np.uint64(value) * np.uint64(0x9E3779B97F4A7C15)
    return (state ^ (state >> np.uint64(29))) & mask


@kernel
def fill(ids: Any, keys: Any, codes: Any) -> None:
    """Enter distinct ids into an empty hash of a power of two slots; `codes` is −1 where a slot is free."""
    mask = np.uint64(keys.shape[0] - 1)
    for code in range(ids.shape[0]):
        slot = _slot(ids[code], mask)
        while codes[slot] >= 0:
            slot = (slot + np.uint64(1)) & mask
        keys[slot] = ids[code]
        codes[slot] = code


@kernel
def find(numbers: Any, keys: Any, codes: Any, out: Any) -> None:
    """The code of every id by the hash; −1 where it is not there."""
    mask = np.uint64(keys.shape[0] - 1)
    for k in range(numbers.shape[0]):
        slot = _slot(numbers[k], mask)
        while codes[slot] >= 0 and keys[slot] != numbers[k]:
            slot = (slot + np.uint64(1)) & mask
        out[k] = codes[slot]


@kernel
def number_distinct(numbers: Any, start: Any, count: Any, keys: Any, slots: Any, codes: Any, firsts: Any) -> Any:
    """Number distinct values in the order of their first rows; return the row reached and how many there are.

    `keys` and `slots` are an empty hash, or one of the first `count` values, of a power of two slots. `codes` receives the
    number of every row, `firsts` the first row of every number. It ends early if the hash is half full.
    """
    mask = np.uint64(keys.shape[0] - 1)
    for row in range(start, numbers.shape[0]):
        slot = _slot(numbers[row], mask)
        while slots[slot] >= 0 and keys[slot] != numbers[row]:
            slot = (slot + np.uint64(1)) & mask
        if slots[slot] < 0:
            if 2 * count >= keys.shape[0]:
                return row, count
            keys[slot] = numbers[row]
            slots[slot] = count
            firsts[count] = row
            count += 1
        codes[row] = slots[slot]
    return numbers.shape[0], count
