"""Rank-biased overlap: the worked values of Webber, Moffat and Zobel (2010), and slow code written from the definition."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from heldout.tables import Judged
from heldout.testing.lists import judged_lists, values_of

FIRST, SECOND = "abcdefg", "zcavwxy"  # Figure 5 of the paper
AGREEMENT = (0, 0, 0.667, 0.5, 0.4, 0.333, 0.286)
AVERAGE_OVERLAP = (0, 0, 0.222, 0.292, 0.313, 0.317, 0.312)


def lists_of(first: str, second: str) -> Judged:
    """Items in the order of `first` by score and of `second` by rating; each order ends with what only the other holds."""
    by_score = first + "".join(c for c in second if c not in first)
    by_rating = second + "".join(c for c in first if c not in second)
    return judged_lists([[float(len(by_rating) - by_rating.index(c)) for c in by_score]], tau=1, top=20)


def overlaps(first: str, second: str, depth: int) -> list[int]:
    return [len(set(first[:d]) & set(second[:d])) for d in range(1, depth + 1)]


def slow_ext(shared: list[int], p: float) -> float:
    """Equation 32 for lists of one length."""
    k = len(shared)
    return shared[-1] / k * p**k + (1 - p) / p * sum(x / d * p**d for d, x in enumerate(shared, start=1))


def slow_min(shared: list[int], p: float) -> float:
    """The prefix, and then nothing new, summed far enough."""
    inside = sum((1 - p) * p ** (d - 1) * x / d for d, x in enumerate(shared, start=1))
    beyond = sum((1 - p) * p ** (d - 1) * shared[-1] / d for d in range(len(shared) + 1, 3000))
    return inside + beyond


def slow_residual(shared: list[int], p: float) -> float:
    """Two more shared items at every depth until all are, less what `slow_min` counts there."""
    total, most = 0.0, shared[-1]
    for d in range(len(shared) + 1, 3000):
        most = min(d, most + 2)
        total += (1 - p) * p ** (d - 1) * (most - shared[-1]) / d
    return total


def test_agreement_of_the_worked_example() -> None:
    """Overlaps found through the metric: with φ → 1 the extrapolated sum to depth d is the average overlap."""
    judged = lists_of(FIRST, SECOND)
    shared = overlaps(FIRST, SECOND, 7)
    assert [round(x / d, 3) for d, x in enumerate(shared, start=1)] == list(AGREEMENT)
    p = 1 - 1e-9
    for depth, average in enumerate(AVERAGE_OVERLAP, start=1):
        found = values_of(f"RBO({p})@{depth}", judged)[0]
        # RBO_ext → X_d/d as φ → 1; its slope there is d times the average overlap less that agreement
        slope = (found - shared[depth - 1] / depth) / (1 - p)
        assert slope / depth + shared[depth - 1] / depth == pytest.approx(average, abs=6e-4)


@pytest.mark.parametrize("p", [0.3, 0.9, 0.98])
@pytest.mark.parametrize("depth", range(1, 8))
def test_the_worked_example_against_the_definition(p: float, depth: int) -> None:
    judged, shared = lists_of(FIRST, SECOND), overlaps(FIRST, SECOND, depth)
    assert values_of(f"RBO({p})@{depth}", judged)[0] == pytest.approx(slow_ext(shared, p), abs=1e-12)
    assert values_of(f"RBO({p}, min)@{depth}", judged)[0] == pytest.approx(slow_min(shared, p), abs=1e-12)
    assert values_of(f"RBO({p}, res)@{depth}", judged)[0] == pytest.approx(slow_residual(shared, p), abs=1e-12)


@pytest.mark.parametrize(("p", "depth"), [(0.9, 10), (0.98, 50)])
def test_the_weight_of_a_prefix(p: float, depth: int) -> None:
    """The paper: with p = 0.9 the first 10 ranks have 86 % of the weight, and p = 0.98 is about right for the first 50.

    Identical lists have at least the weight of their prefix (equation 21).
    """
    judged = judged_lists([[float(depth - k) for k in range(depth)]], tau=1, top=100)
    weight = 1 - p ** (depth - 1) + (1 - p) / p * depth * (log(1 / (1 - p)) - sum(p**i / i for i in range(1, depth)))
    found = values_of(f"RBO({p}, min)", judged)[0]
    assert found == pytest.approx(weight, abs=1e-12)
    assert found == pytest.approx(0.86, abs=0.01)
    assert p != 0.9 or round(found, 2) == 0.86


@pytest.mark.parametrize("seed", range(20))
def test_random_orders_against_the_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 15))
    grades = rng.permutation(n).astype(float)
    judged = judged_lists([grades.tolist()], tau=0, top=20)
    by_score = "".join(chr(97 + k) for k in range(n))
    by_rating = "".join(by_score[k] for k in np.argsort(-grades))
    for depth in (n, max(1, n // 2)):
        shared = overlaps(by_score, by_rating, depth)
        for form, slow in (("ext", slow_ext), ("min", slow_min), ("res", slow_residual)):
            assert values_of(f"RBO(0.85, {form})@{depth}", judged)[0] == pytest.approx(slow(shared, 0.85), abs=1e-12)
