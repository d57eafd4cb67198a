"""Swap rates: a difference that is sure never turns round, one that is none turns round half of the time."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heldout import rng
from heldout.metric_quality.swap_rate import SwapRate, swap_rates, users_needed


def test_sure_and_no_differences() -> None:
    draw = np.random.default_rng(2)
    noise = draw.normal(size=(1, 30, 800))  # all differences are luck: another set of users says as little of their sign
    sure = noise + 9.0 * np.arange(30)[None, :, None]
    rates = swap_rates(np.concatenate([sure, noise]), ["sure", "noise"], seed=3)
    assert [r.users for r in rates] == [100, 200, 400] * 2
    assert [r.rate for r in rates[:3]] == [0, 0, 0]
    assert rates[5].rate == pytest.approx(0.5, abs=0.1)
    assert rates[0].comparisons == 2 * 200 * 435
    assert sum(n for *_, n in rates[0].bins) == 2 * 200 * 435


def test_larger_differences_turn_round_less() -> None:
    draw = np.random.default_rng(5)
    tables = draw.normal(size=(1, 12, 400)) + 0.12 * np.arange(12)[None, :, None]
    for row in swap_rates(tables, ["m"], seed=1):
        assert row.bins[0][1] > row.bins[-1][1]
        assert [low for low, *_ in row.bins] == sorted(low for low, *_ in row.bins)


def rate(users: int, share: float) -> SwapRate:
    return SwapRate(metric="m", users=users, rate=share, comparisons=100, bins=())


def test_the_users_needed() -> None:
    # From 0.10 at 250 to 0.025 at 500: in logarithms 0.05 is half way, at √(250 · 500) = 353.6.
    needed = users_needed([rate(125, 0.2), rate(250, 0.1), rate(500, 0.025)])
    assert (needed.users, needed.extrapolated, needed.at_most) == (354, False, False)
    # Halving with each doubling: 0.1 at 500, so 0.05 at 1,000, more than were tried.
    needed = users_needed([rate(125, 0.4), rate(250, 0.2), rate(500, 0.1)])
    assert (needed.users, needed.extrapolated) == (1000, True)
    assert users_needed([rate(125, 0.01), rate(250, 0.0)]).at_most
    assert users_needed([rate(125, 0.3), rate(250, 0.3)]).users is None


def test_a_line_that_hardly_falls_is_not_followed() -> None:
    """0.3 at 100, 0.2999 at 200: 5 % would be some 10^1617 users away."""
    needed = users_needed([rate(100, 0.3), rate(200, 0.2999)])
    assert (needed.users, needed.extrapolated) == (None, False)
    assert users_needed([rate(100, 0.3), rate(200, float("nan"))]).users is None
    # Halving with each doubling from 0.2 at 200: 0.05 at 800.
    assert users_needed([rate(100, 0.4), rate(200, 0.2)]).users == 800


def test_a_metric_of_few_users_is_extrapolated_beyond_their_half() -> None:
    """It has a value for 80 of 800 users: what lies beyond 40 was not measured, though 800 users are there."""
    draw = np.random.default_rng(8)
    tables = draw.normal(size=(1, 6, 800)) + 0.1 * np.arange(6)[None, :, None]
    tables[0, 2, 80:] = np.nan
    rates = swap_rates(tables, ["m"], seed=1)
    assert [row.users for row in rates] == [10, 20, 40]
    needed = users_needed(rates)
    assert needed.users is not None
    assert needed.users > 40
    assert needed.extrapolated


@settings(max_examples=25, deadline=None)
@given(
    values=st.lists(st.lists(st.integers(0, 4), min_size=9, max_size=9), min_size=2, max_size=5),
    seed=st.integers(0, 50),
)
def test_rates_are_those_of_counting_swaps_one_by_one(values: list[list[int]], seed: int) -> None:
    table = np.array(values, dtype=np.float64) / 5  # not exact in binary: ties must be ties all the same
    trials = 5
    for row in swap_rates(table[None], ["m"], seed=seed, trials=trials):
        draws = rng.stream(seed, "disjoint sets of users", row.users)
        comparisons: list[tuple[float, float]] = []
        orders = [draws.permutation(9).tolist() for _ in range(trials)]
        sets = [(order[: row.users], order[row.users : 2 * row.users]) for order in orders]
        for looked_at, looked_up in [*sets, *(pair[::-1] for pair in sets)]:
            for a, b in combinations(values, 2):
                here = sum(a[u] - b[u] for u in looked_at)
                there = sum(a[u] - b[u] for u in looked_up)
                if here != 0:
                    comparisons.append((abs(here), 0.5 if there == 0 else float((here > 0) != (there > 0))))
        assert row.comparisons == len(comparisons)
        if comparisons:
            assert row.rate == pytest.approx(np.mean([swap for _, swap in comparisons]))
            assert sum(rate * count for _, rate, count in row.bins) == pytest.approx(sum(swap for _, swap in comparisons))
            least = [low * 5 * row.users for low, *_ in row.bins]
            sizes = sorted(size for size, _ in comparisons)
            starts = np.cumsum([0] + [count for *_, count in row.bins[:-1]])
            assert least == pytest.approx([sizes[start] for start in starts])
        else:
            assert np.isnan(row.rate)
