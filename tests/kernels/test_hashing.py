"""Hashes are those of the published functions, and rows are ordered by group."""

from __future__ import annotations

import numpy as np

from heldout.kernels.hashing import hash_numbers, hash_texts, order_by_group


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
