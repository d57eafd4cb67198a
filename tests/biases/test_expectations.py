"""Closed forms against all cases of small examples, and against 200,000 random rankings."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import polars as pl
import pytest
from scipy.stats import hypergeom

from heldout.biases.expectations import (
    chance_within,
    first_items,
    fixed_order,
    random_all_relevant,
    random_one_relevant,
)
from heldout.tables import Interactions, Vocabulary

RANKINGS = 200_000


def _precision_of_all_orders(size: int, relevant: int, n: int) -> float:
    """P@n over all orders of `size` items, of which the first few are relevant."""
    orders = list(permutations(range(size)))
    return sum(sum(item < relevant for item in order[:n]) for order in orders) / (n * len(orders))


@pytest.mark.parametrize(("size", "relevant", "n"), [(5, 2, 3), (6, 1, 2), (4, 4, 1)])
def test_equation_4_is_the_mean_over_all_orders(size: int, relevant: int, n: int) -> None:
    sizes = np.full(3, float(size))
    assert random_all_relevant(3.0 * relevant, sizes) == pytest.approx(_precision_of_all_orders(size, relevant, n))


@pytest.mark.parametrize(("size", "n"), [(5, 3), (6, 1), (3, 3)])
def test_equation_5_is_the_mean_over_all_orders(size: int, n: int) -> None:
    assert random_one_relevant(np.full(4, float(size))) == pytest.approx(_precision_of_all_orders(size, 1, n))


def test_equation_4_against_random_rankings() -> None:
    """200,000 rankings: the mean lies within four standard errors of σδ, where all users rank equally many items."""
    draw, size, n = np.random.default_rng(1), 40, 10
    relevant = draw.integers(0, 6, 50)
    each = RANKINGS // len(relevant)
    hits = np.concatenate([draw.hypergeometric(r, size - r, n, each) for r in relevant]) / n
    expected = random_all_relevant(float(relevant.sum()), np.full(len(relevant), float(size)))
    # rankings of the same user share its expectation: the error is that within users
    error = np.sqrt(np.mean([hits[k * each : (k + 1) * each].var() for k in range(len(relevant))]) / len(hits))
    assert abs(hits.mean() - expected) < 4 * error


def test_equation_3_is_the_mean_over_all_splits() -> None:
    """Every liked pair tests with probability σ; all lists begin with items 0 and 1 of 3, and no list lacks an item."""
    likes, share, users, n = [(0, 0), (1, 0), (1, 1), (2, 2)], 0.3, 3, 2
    total = 0.0
    for tested in product((False, True), repeat=len(likes)):
        chance = np.prod([share if t else 1 - share for t in tested])
        hits = sum(t and item < n for t, (_, item) in zip(tested, likes, strict=True))
        total += float(chance) * hits / (n * users)
    positives = share * np.bincount([item for _, item in likes], minlength=3)
    order = np.tile([0, 1], (users, 1))
    assert fixed_order(positives, order, 3, np.full(users, 3.0)) == pytest.approx(total)


def test_the_documented_case_of_equation_3_and_lists_that_end_early() -> None:
    positives = np.array([1.0, 0.5, 0.0, 0.0])
    assert fixed_order(positives, np.array([[0, 1], [0, 1]]), 4, np.full(2, 4.0)) == 0.375
    assert fixed_order(positives, np.array([[0, -1], [0, -1]]), 4, np.full(2, 4.0)) == 0.25  # nothing at the second place


def test_equation_3_of_a_random_order_is_equation_4() -> None:
    """Averaged over all orders of the candidates, eq. 3 gives σδ."""
    positives, sizes = np.array([0.9, 0.4, 0.2, 0.0]), np.array([4.0, 3.0])
    orders = [np.tile(order[:2], (2, 1)) for order in permutations(range(4))]
    mean = np.mean([fixed_order(positives, order, 4, sizes) for order in orders])
    assert mean == pytest.approx(random_all_relevant(float(positives.sum()), sizes))


def test_the_chance_of_a_sampled_rank_by_counting_samples() -> None:
    for pool, above, sampled, n in product((1, 3, 6), (0, 1, 3), (1, 2, 5), (1, 2, 4)):
        if above > pool:
            continue
        samples = list(combinations(range(pool), min(sampled, pool)))
        counted = np.mean([sum(item < above for item in sample) <= n - 1 for sample in samples])
        assert chance_within(n, np.array([pool]), np.array([above]), sampled)[0] == pytest.approx(counted, abs=1e-12)


def test_the_chance_of_a_sampled_rank_is_scipys() -> None:
    draw = np.random.default_rng(2)
    pool = draw.integers(100, 4000, 500)
    above = (pool * draw.random(500)).astype(np.int64)
    ours = chance_within(10, pool, above, 99)
    assert np.allclose(ours, hypergeom.cdf(9, pool, above, 99), rtol=1e-9, atol=1e-12)


def test_the_chance_of_a_sampled_rank_against_random_samples() -> None:
    draw = np.random.default_rng(3)
    inside = draw.hypergeometric(300, 3000 - 300, 99, RANKINGS) <= 9
    chance = float(chance_within(10, np.array([3000]), np.array([300]), 99)[0])
    assert abs(inside.mean() - chance) < 4 * np.sqrt(chance * (1 - chance) / RANKINGS)


def test_first_items_leave_out_what_the_user_has() -> None:
    users, items = Vocabulary.of(pl.Series([0, 1])), Vocabulary.of(pl.Series([0, 1, 2, 3]))
    train = Interactions.build(users, items, np.array([0, 0, 1]), np.array([2, 0, 3]), np.ones(3))
    order = np.array([2, 0, 3])  # item 1 is no candidate
    assert first_items(order, train, np.array([0, 1]), 2).tolist() == [[3, -1], [2, 0]]
