"""Hashes are those of the published functions, and rows are ordered by group."""

from __future__ import annotations

import numpy as np

from heldout.kernels.hashing import divide_hashes, divide_numbers, hash_numbers, hash_texts, order_by_group, scatter


def test_numbers_hash_as_splitmix64_does() -> None:
    # The first outputs of splitmix64 from the seeds 0 and 1234567 (Vigna's splitmix64.c).
    hashes = np.empty(2, np.uint64)
    hash_numbers(np.array([0, 1234567]), hashes)
    assert hashes.tolist() == [0xE220A8397B1DCDAF, 6457827717110365317]


def test_texts_hash_by_their_bytes_alone() -> None:
    content = np.frombuffer("abéab".encode(), np.uint8)
    hashes = np.empty(4, np.uint64)
    hash_texts(content, np.array([2, 2, 2, 0]), hashes)
    assert hashes[0] == hashes[2] != hashes[1]
    assert len(set(hashes.tolist())) == 3


def test_rows_of_a_group_keep_their_order() -> None:
    groups, order = np.array([1, 0, 1, 0, 2], np.uint16), np.empty(5, np.uint32)
    order_by_group(groups, np.array([0, 2, 4]), order)
    assert order.tolist() == [1, 3, 0, 2, 4]


def test_ranges_are_the_first_bits_of_hashes() -> None:
    numbers, hashes = np.arange(-500, 500), np.empty(1000, np.uint64)
    hash_numbers(numbers, hashes)
    for bits in (0, 1, 5, 12):
        for divide, of in ((divide_numbers, numbers), (divide_hashes, hashes)):
            ranges, counts = np.empty(1000, np.uint16), np.zeros(1 << bits, np.int64)
            divide(of, bits, ranges, counts)
            assert ranges.tolist() == [int(h) >> (64 - bits) for h in hashes]
            assert np.array_equal(counts, np.bincount(ranges, minlength=1 << bits))


def test_values_are_scattered_and_told_whether_they_fit() -> None:
    groups, out = np.array([1, 0, 1, 0, 2], np.uint16), np.empty(5, np.float32)
    assert scatter(np.array([1.0, 2, 0.5, 4, 5]), groups, np.array([0, 2, 4]), out)
    assert out.tolist() == [2, 4, 1, 0.5, 5]
    assert not scatter(np.array([1.0, 2, 0.1, 4, 5]), groups, np.array([0, 2, 4]), out)
    assert not scatter(np.array([1, 2, 2**40, 4, 5]), groups, np.array([0, 2, 4]), np.empty(5, np.int32))
