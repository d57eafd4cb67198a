"""Pairs, average ranks and overlaps of two orders, against a count of every pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from heldout.kernels.agreement import average_ranks, count_pairs, overlaps, tau_ap_lists

SIZES = (0, 1, 2, 7, 40)


@pytest.fixture(scope="module")
def lists() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lists of several lengths, with ties in scores and in grades; equal scores have as many above."""
    draw = np.random.default_rng(1)
    above = []
    for size in SIZES:
        scores = np.sort(draw.integers(0, max(size // 2, 1), size))[::-1]
        above.append([int((scores > score).sum()) for score in scores])
    indptr = np.append(0, np.cumsum(SIZES)).astype(np.int64)
    return indptr, np.concatenate(above).astype(np.int32), draw.integers(1, 6, sum(SIZES)).astype(np.float64)


def test_every_pair_is_of_one_kind(lists: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    indptr, above, grade = lists
    out = np.empty((len(SIZES), 5))
    count_pairs(indptr, above, grade, out)
    for k in range(len(SIZES)):
        expected = [0] * 5
        for a, b in combinations(range(indptr[k], indptr[k + 1]), 2):  # a stands before b
            score, rating = above[a] == above[b], grade[a] == grade[b]
            kind = 4 if score and rating else 2 if score else 3 if rating else 0 if grade[a] > grade[b] else 1
            expected[kind] += 1
        assert out[k].tolist() == expected


def test_tau_ap_is_the_mean_share_of_right_ones_above(lists: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    indptr, above, grade = lists
    out = np.empty(len(SIZES))
    tau_ap_lists(indptr, above, grade, out)
    for k in range(len(SIZES)):
        shares = []
        for b in range(indptr[k], indptr[k + 1]):
            higher = [a for a in range(indptr[k], b) if above[a] < above[b] and grade[a] != grade[b]]
            if higher:
                shares.append(np.mean([grade[a] > grade[b] for a in higher]))
        np.testing.assert_allclose(out[k], 2 * np.mean(shares) - 1 if shares else np.nan)


def test_average_ranks_are_those_of_scipy(lists: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    indptr, _, grade = lists
    out = np.empty(len(grade))
    average_ranks(indptr, grade, out)
    for k in range(len(SIZES)):
        here = slice(indptr[k], indptr[k + 1])
        assert out[here].tolist() == stats.rankdata(grade[here]).tolist()


def test_overlaps_at_every_depth() -> None:
    """The second order of three is the last, the first, the second; of one, itself."""
    indptr, second = np.array([0, 3, 3, 4], np.int64), np.array([2, 0, 1, 0], np.int64)
    out = np.empty(4, np.int64)
    overlaps(indptr, second, out)
    assert out.tolist() == [0, 1, 3, 1]
