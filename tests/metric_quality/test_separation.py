"""Users for whom every system has a value, and the metrics that share them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heldout as ho
from heldout import rng
from heldout.metric_quality.findings import SwapRate
from heldout.metric_quality.separation import (
    discriminative_power,
    reliability,
    swap_rates,
    users_needed,
)

PAIRS = np.stack(np.triu_indices(6, 1), axis=1)


def values(seed: int, users: int = 80) -> np.ndarray:
    """Two metrics of six systems: the first tells them apart, the second sees noise."""
    draw = np.random.default_rng(seed)
    noise = draw.normal(size=(2, 6, users))
    noise[0] += 0.5 * np.arange(6)[:, None]
    return noise


@pytest.mark.parametrize("at_once", [1, 12, 10**9])
def test_p_values_are_those_of_each_metric_by_itself(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second metric is undefined for some users; metrics share a table if it fits into memory."""
    monkeypatch.setattr("heldout.metric_quality.separation.AT_ONCE", at_once)
    tables = np.concatenate([values(1), values(3)])
    tables[1, 2, :7] = np.nan
    found = discriminative_power(tables, "abcd", seed=5, flips=2000)
    for table, row in zip(tables, found, strict=True):
        defined = table[:, ~np.isnan(table).any(axis=0)]
        p = ho.make("test", "permutation(samples=2000)").p_values(defined.T, PAIRS, seed=5)
        assert row.curve == tuple(sorted(p)) and row.users == defined.shape[1]


def test_the_summaries() -> None:
    good, bad = discriminative_power(values(2), ("good", "bad"), seed=1, flips=5000)
    p = np.array(good.curve)
    assert good.total == pytest.approx(p.sum())
    assert good.mean == pytest.approx(p.mean())
    assert good.median == np.median(p)
    assert good.significant == np.mean(p < 0.05)
    assert (good.pairs, good.users) == (15, 80)
    assert good.mean < bad.mean
    assert good.half_mean > good.mean  # half of the users separate less
    assert 0 < good.mean_error < 0.2


def test_equal_systems_are_never_told_apart() -> None:
    tables = np.repeat(np.random.default_rng(1).normal(size=(1, 1, 30)), 6, axis=1)
    (found,) = discriminative_power(tables, ("same",), seed=1, flips=1000)
    assert (found.total, found.mean, found.significant) == (15.0, 1.0, 0.0)


def test_a_metric_without_values_has_none() -> None:
    (found,) = discriminative_power(np.full((1, 6, 10), np.nan), ("nothing",), seed=1, flips=1000)
    assert found.users == 0
    assert np.isnan(found.total)


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


def test_components_by_hand() -> None:
    # System means 1.5 and 4.5, user means 2 and 4: mean squares 9, 4 and 1.
    (row,) = reliability(np.array([[[1.0, 2.0], [3.0, 6.0]]]), ["m"])
    assert row.relative == 4 / (4 + 1 / 2)
    assert row.absolute == 4 / (4 + 2.5 / 2)
    assert (row.of_systems, row.of_users, row.of_rest) == (4 / 6.5, 1.5 / 6.5, 1 / 6.5)
    assert row.users_needed == 5  # 19 · 1/4 = 4.75
    assert row.with_users(2) == pytest.approx((row.relative, row.absolute))
    assert row.with_users(8) == pytest.approx((4 / (4 + 1 / 8), 4 / (4 + 2.5 / 8)))


def test_components_are_found_again() -> None:
    draw = np.random.default_rng(4)
    table = draw.normal(0, 2, (400, 1)) + draw.normal(0, 3, (1, 400)) + draw.normal(0, 1.5, (400, 400))
    (row,) = reliability(table[None], ["m"])
    assert (row.of_systems, row.of_users, row.of_rest) == pytest.approx((4 / 15.25, 9 / 15.25, 2.25 / 15.25), rel=0.25)


def test_no_difference_no_reliability() -> None:
    (row,) = reliability(np.array([[[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]]]), ["m"])
    assert row.users_needed is None
    assert np.isnan(row.relative)
    (one,) = reliability(np.array([[[1.0, np.nan], [1.0, 2.0]]]), ["m"])
    assert one.users == 1
    assert np.isnan(one.relative)
