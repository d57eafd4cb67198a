"""Stable 64-bit hashes of whole numbers and of texts: the same on every machine, in every version."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heldout.kernels.jit import kernel

_OFFSET, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)


@kernel
def _mixed(state: np.uint64) -> np.uint64:
    """The finaliser of splitmix64 (Steele, Lea and Flood 2014)."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@kernel
def hash_numbers(numbers: NDArray[np.int64], hashes: NDArray[np.uint64]) -> None:
    """splitmix64 of every number."""
    for k in range(numbers.shape[0]):
        hashes[k] = _mixed(np.uint64(numbers[k]) + np.uint64(0x9E3779B97F4A7C15))


@kernel
def hash_texts(content: NDArray[np.uint8], lengths: NDArray[np.int64], hashes: NDArray[np.uint64]) -> None:
    """FNV-1a of the bytes of every text, mixed; the texts stand one behind the other in `content`."""
    at = 0
    for k in range(lengths.shape[0]):
        state = _OFFSET
        for byte in content[at : at + lengths[k]]:
            state = (state ^ np.uint64(byte)) * _PRIME
        hashes[k] = _mixed(state)
        at += lengths[k]


@kernel
def divide_numbers(numbers: NDArray[np.int64], bits: int, ranges: NDArray[np.uint16], counts: NDArray[np.int64]) -> None:
    """The first bits of every number's hash, and how often each occurs; as `divide_hashes`, in one pass."""
    for k in range(numbers.shape[0]):
        state = _mixed(np.uint64(numbers[k]) + np.uint64(0x9E3779B97F4A7C15))
        ranges[k] = (state >> np.uint64(1)) >> np.uint64(63 - bits)  # in two steps: a shift by 64 is undefined
        counts[ranges[k]] += 1


@kernel
def divide_hashes(hashes: NDArray[np.uint64], bits: int, ranges: NDArray[np.uint16], counts: NDArray[np.int64]) -> None:
    """The first bits of every hash, and how often each occurs."""
    for k in range(hashes.shape[0]):
        ranges[k] = (hashes[k] >> np.uint64(1)) >> np.uint64(63 - bits)
        counts[ranges[k]] += 1


@kernel
def order_by_group(groups: NDArray[np.uint16], starts: NDArray[np.int64], order: NDArray[np.uint32]) -> None:
    """Row numbers by group, rows of a group in their order; `starts` is where each group begins, and is used up."""
    for row in range(groups.shape[0]):
        order[starts[groups[row]]] = row
        starts[groups[row]] += 1


def _scatter(
    values: NDArray[np.generic], groups: NDArray[np.uint16], starts: NDArray[np.int64], out: NDArray[np.generic]
) -> bool:
    order = np.argsort(groups, kind="stable")
    counts = np.bincount(groups, minlength=len(starts))
    first = np.repeat(np.cumsum(counts) - counts, counts)
    stored = values[order].astype(out.dtype)
    out[np.repeat(starts, counts) + np.arange(len(order)) - first] = stored
    starts += counts
    return bool((stored == values[order]).all())


@kernel(small=_scatter)
def scatter(
    values: NDArray[np.generic], groups: NDArray[np.uint16], starts: NDArray[np.int64], out: NDArray[np.generic]
) -> bool:
    """As `order_by_group`, of values, in the type of `out`; whether that type holds all of them exactly."""
    exact = True
    for row in range(groups.shape[0]):
        at = starts[groups[row]]
        out[at] = values[row]
        exact &= out[at] == values[row]
        starts[groups[row]] += 1
    return exact
