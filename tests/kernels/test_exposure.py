"""Draws without replacement whose probabilities are known: pulls, scales and counts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from heldout.kernels.exposure import draw_items, pulls, scale_to_sum


def room(n: int) -> tuple[np.ndarray, np.ndarray]:
    bits = np.empty(n, np.int32)
    return bits, bits.view(np.float32)


def test_pulls_are_powers_of_two_to_seven_digits_and_bounded() -> None:
    x = np.array([[0.0, 1.0, -3.5, 12.25, 500.0, -500.0]], np.float32)
    out = np.empty(6, np.float32)
    pulls(x, np.ones(1, np.float32), 0, 6, *room(6), out)
    assert out[:4] == pytest.approx(2.0 ** x[0, :4], rel=3e-7)
    assert out[4:] == pytest.approx([2.0**79, 2.0**-79], rel=3e-7)


@pytest.mark.parametrize(
    ("weights", "n", "rate"),
    [
        ([1, 1, 2], 2, 0.5),  # 0.5 + 0.5 + 1
        ([1, 1, 8], 2, 0.5),  # the 8 counts once, and the others share the other one
        ([1, 2, 8], 3, 1.0),  # all of them
    ],
)
def test_probabilities_add_up_to_the_number_that_is_drawn(weights: list[float], n: int, rate: float) -> None:
    scale = scale_to_sum(np.array(weights, dtype=float), n)
    assert np.minimum(1, scale * np.array(weights)).sum() == pytest.approx(n) and scale == pytest.approx(rate)


def test_each_item_meets_as_many_users_as_it_should_each_as_often_as_its_chance() -> None:
    """Three users of weights 1, 1 and 2, one drawn: in a quarter, a quarter and half of the items."""
    n_items, counts = 4000, 1
    taste, genres = np.zeros((1, 3), np.float32), np.zeros((n_items, 1), np.float32)
    base = np.array([1.0, 1.0, 2.0])
    keys = np.random.default_rng(1).random(n_items)
    user, rates = np.empty(n_items, np.int32), np.empty(n_items)
    starts, strides = np.arange(n_items + 1), np.ones(n_items, np.int64)
    many = np.full(n_items, counts)
    draw_items(taste, base, genres, many, starts, strides, keys, *room(3), 0, n_items, user, rates)
    shares = np.bincount(user, minlength=3) / n_items
    assert shares == pytest.approx([0.25, 0.25, 0.5], abs=4 * 0.5 / np.sqrt(n_items))
    assert rates == pytest.approx(0.25, rel=1e-6)


def test_those_who_are_drawn_are_distinct_and_ascending() -> None:
    draw = np.random.default_rng(2)
    taste, genres = draw.normal(size=(2, 50)).astype(np.float32), draw.normal(size=(20, 2)).astype(np.float32)
    counts = draw.integers(1, 40, 20)
    starts = np.append(0, np.cumsum(counts))
    user, rates = np.empty(starts[-1], np.int32), np.empty(20)
    keys, strides = draw.random(20), np.full(20, 7)  # 7 and 50 share no factor
    draw_items(taste, np.ones(50), genres, counts, starts, strides, keys, *room(50), 0, 20, user, rates)
    for low, high in itertools.pairwise(starts):
        assert (np.diff(user[low:high]) > 0).all() and user[low] >= 0 and user[high - 1] < 50
