"""Loops over all samples at once, beside cases small enough to count by hand.

That whole metrics come out as if each sample had been judged alone is held by tests/metric_quality/test_sampled_means.py.
"""

from __future__ import annotations

import numpy as np

from heldout.kernels.sampled_ratings import (
    AP,
    BPREF,
    HIT,
    RECALL,
    RR,
    TERMS,
    P,
    add_bit,
    keep_levels,
    sampled_gains,
    sampled_ideals,
    sampled_sums,
    sampled_totals,
)

# One user with three ratings: the first and the last are relevant. Sample 0 keeps all, sample 1 all but the first.
INDPTR = np.array([0, 3])
WORDS = np.array([0b01, 0b11, 0b11], np.uint64)
RELEVANT = np.array([True, False, True])
NONE = np.zeros(3, np.bool_)


def totals() -> np.ndarray:
    out = np.empty((3, 1, 2))
    sampled_totals(INDPTR, WORDS, RELEVANT, NONE, out)
    return out


def test_levels_count_the_samples_that_keep_a_rating() -> None:
    levels = np.empty(4, np.uint8)
    order, whole = np.array([2, 0, 3, 1]), np.zeros(4, np.int64)
    keep_levels(order, whole, np.array([[4, 2, 1]]), levels)  # nested samples of 4, 2 and 1 ratings
    assert levels.tolist() == [2, 1, 3, 1]
    words = np.zeros(4, np.uint64)
    add_bit(levels, 1, 5, words)  # the sample of 2
    assert words.tolist() == [32, 0, 32, 0]
    halves = np.array([0, 1, 0, 1])  # of ratings 0 and 2 both, or the first; of 1 and 3 both, or none
    keep_levels(order, halves, np.array([[2, 1], [2, 0]]), levels)
    assert levels.tolist() == [1, 1, 2, 1]


def test_totals() -> None:
    assert totals()[:, 0].tolist() == [[3, 2], [2, 1], [1, 1]]  # rated, relevant, not relevant; by sample
    out = np.empty((3, 1, 2))
    sampled_totals(INDPTR, WORDS, RELEVANT, np.array([False, True, False]), out)
    assert out[2, 0].tolist() == [0, 0]  # the one that is not relevant counts as not judged


def test_sums_over_hits() -> None:
    """The list has the ratings at ranks 1, 2 and 4."""
    sums = np.zeros((TERMS, 2, 2))
    lists = (np.array([0, 3]), np.array([0, 1, 2]), np.array([1, 2, 4], np.int32), np.array([0], np.int32))
    cuts = np.array([2, 4])
    sampled_sums(*lists, WORDS, RELEVANT, NONE, totals(), np.ones((1, 2)), cuts, False, sums)
    at_two, at_four = np.cumsum(sums, axis=1).transpose(1, 0, 2)
    assert at_two[P].tolist() == [1, 0] and at_four[P].tolist() == [2, 1]
    assert at_two[RECALL].tolist() == [0.5, 0] and at_four[RECALL].tolist() == [1, 1]
    assert at_four[RR].tolist() == [1, 0.25] and at_four[HIT].tolist() == [1, 1]
    assert at_four[AP].tolist() == [(1 + 2 / 4) / 2, 1 / 4]
    # One judged non-relevant item stands above the second hit: 1 − 1/min(R, N) = 0 for it.
    assert at_four[BPREF].tolist() == [0.5, 0]


def test_gains_by_the_best_list() -> None:
    gains, weights = np.array([1.0, 0.0, 3.0]), np.array([0.0, 1.0, 0.5, 0.4, 0.3])
    ideals = np.empty((1, 2, 2))
    sampled_ideals(INDPTR, np.array([2, 0, 1]), WORDS, gains, weights, np.array([1, 4]), ideals)
    np.testing.assert_allclose(ideals[0], [[1 / 3, 1 / 3], [1 / 3.5, 1 / 3]])  # sample 1 lacks the gain of 1
    sums = np.zeros((2, 2))
    lists = (np.array([0, 3]), np.array([0, 1, 2]), np.array([1, 2, 4], np.int32), np.array([0], np.int32))
    sampled_gains(*lists, WORDS, gains, weights, ideals, np.ones((1, 2)), np.array([1, 4]), sums)
    np.testing.assert_allclose(sums, [[1 / 3, 0], [(1 + 0.9) / 3.5, 0.9 / 3]])
