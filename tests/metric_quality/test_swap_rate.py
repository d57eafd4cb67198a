"""Swap rates: a difference that is sure never turns round, one that is none turns round half of the time."""

from __future__ import annotations

import numpy as np
import pytest

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
    needed = users_needed([rate(125, 0.2), rate(250, 0.1), rate(500, 0.025)], 1000)
    assert (needed.users, needed.extrapolated, needed.at_most) == (354, False, False)
    # Halving with each doubling: 0.1 at 500, so 0.05 at 1,000, which twice are more than there are.
    needed = users_needed([rate(125, 0.4), rate(250, 0.2), rate(500, 0.1)], 1000)
    assert (needed.users, needed.extrapolated) == (1000, True)
    assert users_needed([rate(125, 0.01), rate(250, 0.0)], 500).at_most
    assert users_needed([rate(125, 0.3), rate(250, 0.3)], 500).users is None


def test_a_line_that_hardly_falls_is_not_followed() -> None:
    """0.3 at 100, 0.2999 at 200: 5 % would be some 10^1617 users away."""
    needed = users_needed([rate(100, 0.3), rate(200, 0.2999)], 400)
    assert (needed.users, needed.extrapolated) == (None, True)
    assert users_needed([rate(100, 0.3), rate(200, float("nan"))], 400).users is None
    # Halving with each doubling from 0.2 at 200: 0.05 at 800, which is twice 400.
    assert users_needed([rate(100, 0.4), rate(200, 0.2)], 400).users == 800
