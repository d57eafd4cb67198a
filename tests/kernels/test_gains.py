"""Gains by level, sorted and cumulated, against numpy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from heldout.kernels.gains import blend, cumulate_ideal, cumulate_stops, find_levels, ideal_sums, sort_down, stop_at

INDPTR = np.array([0, 3, 3, 7], np.int64)
GRADES = np.array([2.0, 5, 2, 1, 1, 5, 3])
FLAGS = np.array([False, True, False, False, True, True, False])


def levels(grades: np.ndarray, flags: np.ndarray) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    level, bits, used = np.empty(len(grades), np.uint8), np.empty(128, np.int64), np.zeros(256, bool)
    n = find_levels(grades.view(np.int64), flags, level, bits, used)
    return n, level, bits.view(np.float64), used


def test_levels_are_distinct_values_and_flags() -> None:
    n, level, values, used = levels(GRADES, FLAGS)
    assert n == 4 and values[:n].tolist() == [2, 5, 1, 3]  # as they first occur
    assert values[level // 2].tolist() == GRADES.tolist() and (level % 2 == 1).tolist() == FLAGS.tolist()
    assert np.flatnonzero(used).tolist() == sorted({0, 3, 4, 5, 6})


@pytest.mark.parametrize(("distinct", "expected"), [(128, 128), (129, -1)])
def test_so_many_values_and_no_more(distinct: int, expected: int) -> None:
    grades = np.tile(np.linspace(0, 1, distinct), 2)
    assert levels(grades, np.zeros(len(grades), bool))[0] == expected


def test_both_zeros_are_numbers_of_their_own() -> None:
    """Values are told apart by their bits; their gain is the same."""
    n, level, values, _ = levels(np.array([0.0, -0.0, 0.0]), np.zeros(3, bool))
    assert n == 2 and values[level // 2].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("depth", [1, 2, 3, 10])
def test_ideal_sums_are_of_the_highest_values(depth: int) -> None:
    values, level = np.unique(GRADES, return_inverse=True)
    weight = np.array([0.0, 1, 0.5, 0.25, 0.125])
    out, down = np.empty(3), np.empty(7)
    order = np.arange(len(values))[::-1].copy()
    ideal_sums(INDPTR, level.astype(np.uint8), values, order, weight, depth, out)
    sort_down(INDPTR, level.astype(np.uint8), values, order, down)
    for k, (low, high) in enumerate(itertools.pairwise(INDPTR)):
        best = np.sort(GRADES[low:high])[::-1]
        assert down[low:high].tolist() == best.tolist()
        assert out[k] == pytest.approx((best[:depth] * weight[1:][: len(best[:depth])]).sum())
    running = np.empty(7)
    cumulate_ideal(INDPTR, down, weight, running)
    assert running[[0, 1, 2]].tolist() == [5, 6, 6.5] and running[6] == pytest.approx(5 + 1.5 + 0.25 + 0.125)


def test_more_values_than_can_be_counted_are_sorted() -> None:
    draws = np.random.default_rng(1).random(600)
    values, place = np.unique(-draws, return_inverse=True)
    out = np.empty(600)
    sort_down(np.array([0, 250, 600], np.int64), place, -values, np.arange(600), out)
    assert out.tolist() == [*np.sort(draws[:250])[::-1], *np.sort(draws[250:])[::-1]]


def test_a_user_stops_where_chance_says() -> None:
    """Chances ½ at rank 1, ¼ at rank 3: 1 · ½ + ½ · ¼ / 3; cut at 2, the first alone."""
    indptr, rank, row = np.array([0, 2, 2], np.int64), np.array([1, 3], np.int32), np.array([1, 0], np.int64)
    chance, out, running = np.array([0.25, 0.5]), np.empty(2), np.empty(2)
    stop_at(indptr, rank, row, chance, 5, out)
    assert out.tolist() == pytest.approx([0.5 + 0.5 * 0.25 / 3, 0])
    stop_at(indptr, rank, row, chance, 2, out)
    assert out.tolist() == [0.5, 0]
    cumulate_stops(indptr, rank, row, chance, running)
    assert running.tolist() == pytest.approx([0.5, 0.5 + 0.5 * 0.25 / 3])


def test_the_blended_ratio_of_hits() -> None:
    """Hits at ranks 1 and 4 with gains 2 and 1, ideal gains 3, 5, 6 cumulated: (1 + 2)/(1 + 3) and (2 + 3)/(4 + 6)."""
    out = np.empty(2)
    blend(
        np.array([0, 2], np.int64), np.array([1, 4], np.int32), np.array([2.0, 1.0]), np.array([0], np.int32),
        np.array([0, 3], np.int64), np.array([3.0, 5.0, 6.0]), 1.0, out,
    )  # fmt: skip
    assert out.tolist() == [3 / 4, 5 / 10]
