"""Kernels of sign flips against matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import hadamard

from heldout.kernels.flips import count_extreme, flipped_sums, walsh_hadamard


@pytest.mark.parametrize("m", range(10))
def test_the_transform_is_a_product_with_the_hadamard_matrix(m: int) -> None:
    x = np.random.default_rng(m).normal(size=2**m)
    found = x.copy()
    walsh_hadamard(found)
    np.testing.assert_allclose(found, hadamard(2**m) @ x, atol=1e-12)


def test_flipped_sums_place_users_and_add_those_who_share_a_position() -> None:
    # users at positions 1, 0, 1 with signs +, −, −: cells −2 and 1 − 4, so sums −2 − 3 and −2 + 3
    sums = np.empty((1, 2))
    flipped_sums(np.array([[1.0, 2, 4]]), np.array([1, -1, -1], dtype=np.int8), np.array([1, 0, 1]), sums)
    assert sums.tolist() == [[-5.0, 1.0]]


@pytest.mark.parametrize("flips", [1, 1024, 2500])
def test_counting_goes_over_all_tiles(flips: int) -> None:
    sums = np.random.default_rng(flips).normal(size=(3, flips))
    pairs, thresholds = np.array([(0, 1), (2, 0)]), np.array([0.5, 1.5])
    counts = np.array([7, 0])
    count_extreme(sums, pairs, thresholds, counts)
    expected = [(np.abs(sums[a] - sums[b]) >= t).sum() for (a, b), t in zip(pairs, thresholds, strict=True)]
    assert counts.tolist() == [7 + expected[0], expected[1]]
