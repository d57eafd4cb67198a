"""Agreement of rankings, against scipy and the definitions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau

from heldout.analysis.ranking_agreement import rank_biased_overlap, tau_ap, tau_b


def rankings(seed: int, *, ties: bool) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.integers(0, 5, (6, 8)).astype(np.float64) if ties else draw.normal(size=(6, 8))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_tau_b_is_scipys(seed: int, ties: bool) -> None:
    rows, others = rankings(seed, ties=ties), rankings(seed + 100, ties=ties)
    expected = [[kendalltau(a, b).statistic for b in others] for a in rows]
    np.testing.assert_allclose(tau_b(rows, others), expected, atol=1e-12)


def test_a_ranking_that_ties_all_or_lacks_a_value_has_no_tau() -> None:
    rows = np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 3.0], [1.0, np.nan, 3.0]])
    assert np.isnan(tau_b(rows, rows)).tolist() == [[True, True, True], [True, False, True], [True, True, True]]
    assert tau_b(rows[1:2], -rows[1:2])[0, 0] == -1


def test_values_that_differ_by_rounding_alone_are_tied() -> None:
    """0.1 + 0.2 is not 0.3 to a computer: of the three pairs of systems one is tied in both rankings."""
    rounded = np.array([[0.1 + 0.2, 0.3, 0.1], [0.3, 0.1 + 0.2, 0.2]])
    exact = np.array([[0.3, 0.3, 0.1], [0.3, 0.3, 0.2]])
    assert rounded[0, 0] != rounded[0, 1]
    for scale in (1.0, 1e-9, 1e9):
        for agreement in (lambda rows: tau_b(rows, rows), tau_ap, rank_biased_overlap):
            np.testing.assert_array_equal(agreement(scale * rounded), agreement(exact))
    assert tau_b(rounded[:1], np.array([[2.0, 1.0, 0.0]]))[0, 0] == pytest.approx(2 / np.sqrt(6))


def test_small_differences_that_are_not_rounding_order_systems() -> None:
    close = np.array([[0.3, 0.3 + 1e-9, 0.1]])
    assert tau_b(close, np.array([[1.0, 2.0, 0.0]]))[0, 0] == pytest.approx(1)


def slow_tau_ap(reference: np.ndarray, other: np.ndarray) -> float:
    """Yilmaz, Aslam and Robertson (2008): 2/(N − 1) Σ_{i ≥ 2} C(i)/(i − 1) − 1."""
    order = np.argsort(-other)
    right = [np.mean(reference[order[:i]] > reference[order[i]]) for i in range(1, len(order))]
    return float(2 * np.mean(right) - 1)


@pytest.mark.parametrize("seed", range(5))
def test_tau_ap_is_the_mean_of_both_ways(seed: int) -> None:
    rows = rankings(seed, ties=False)
    expected = [[(slow_tau_ap(a, b) + slow_tau_ap(b, a)) / 2 for b in rows] for a in rows]
    np.testing.assert_allclose(tau_ap(rows), expected, atol=1e-12)
    assert np.isnan(tau_ap(np.array([[1.0, 2.0], [np.nan, 1.0]]))).tolist() == [[False, True], [True, True]]


@pytest.mark.parametrize("persistence", [0.5, 0.9])
def test_overlap_is_the_sum_of_its_definition(persistence: float) -> None:
    rows = rankings(3, ties=False)
    orders = [list(np.argsort(-row)) for row in rows]
    k = len(orders[0])

    def slow(a: list[int], b: list[int]) -> float:
        shared = [len(set(a[:d]) & set(b[:d])) for d in range(1, k + 1)]
        terms = sum(x / d * persistence**d for d, x in enumerate(shared, start=1))
        return persistence**k + (1 - persistence) / persistence * terms

    np.testing.assert_allclose(rank_biased_overlap(rows, persistence), [[slow(a, b) for b in orders] for a in orders])
    np.testing.assert_allclose(np.diag(rank_biased_overlap(rows, persistence)), 1.0)
