"""The studentised bootstrap: by hand, against resampling the slow way, and the habits of every sampled test."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from heldout import rng, threads
from heldout.errors import NotApplicableError
from heldout.significance import Bootstrap

PAIR = np.array([[1, 0]])


def columns_of(d: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return np.vstack([np.zeros(d.shape[1]), d]).T, np.array([(k + 1, 0) for k in range(len(d))])


def test_by_hand() -> None:
    # 1 and 3: t = 2. Less the mean −1, 1: of resamples (−1,−1), (1,1), (−1,1), (1,−1) the first two count.
    columns, pairs = columns_of(np.array([[1.0, 3.0]]))
    assert Bootstrap(20_000).p_values(columns, pairs, seed=1)[0] == pytest.approx(0.5, abs=0.015)


def test_against_resampling_one_by_one() -> None:
    d = np.random.default_rng(0).normal(0.2, 1, (3, 25))
    columns, pairs = columns_of(d)
    samples = 512
    found = Bootstrap(samples).p_values(columns, pairs, seed=5)
    for k, row in enumerate(d):
        centred, count = row - row.mean(), 0
        t = abs(row.mean()) / row.std(ddof=1)
        for start in (0, 256):
            drawn = rng.stream(5, "bootstrap test", start).integers(0, 25, (256, 25), np.int32)
            for users in drawn:
                sample = centred[users]
                count += abs(sample.mean()) / sample.std(ddof=1) >= t
        assert found[k] == (1 + count) / (1 + samples)


def squared_t(values: list[Fraction]) -> Fraction | None:
    """t² but for a constant factor; None is infinity."""
    mean = sum(values, Fraction()) / len(values)
    spread = sum((v - mean) ** 2 for v in values)
    return mean**2 / spread if spread else None if mean else Fraction()


def reached(values: list[Fraction], resample: list[int]) -> bool:
    """Whether |t*| of a resample is at least |t|, in exact arithmetic."""
    mean = sum(values, Fraction()) / len(values)
    observed, drawn = squared_t(values), squared_t([values[u] - mean for u in resample])
    return drawn is None or (observed is not None and drawn >= observed)


def exact_values(row: list[str]) -> tuple[list[Fraction], NDArray[np.float64], NDArray[np.int64]]:
    values = [Fraction(text) for text in row]
    return values, *columns_of(np.array([[float(v) for v in values]]))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (["1/10", "2/10", "-3/10"], Fraction(1)),  # the mean is 0, which floats make 1e-17
        (["-3/10", "-5/10", "-1/10"], Fraction(2, 27)),  # the first is the mean: three times the same 0 has t* = 0
        (["1", "3"], Fraction(1, 2)),
        (["1/3", "1/3", "-2/3"], Fraction(1)),
        (["1", "1", "1"], Fraction(0)),
    ],
)
def test_p_at_few_users_is_that_of_all_resamples(row: list[str], expected: Fraction) -> None:
    values, columns, pairs = exact_values(row)
    resamples = list(product(range(len(row)), repeat=len(row)))
    assert Fraction(sum(reached(values, list(users)) for users in resamples), len(resamples)) == expected
    samples = 20_000
    p = Bootstrap(samples).p_values(columns, pairs, seed=1)[0]
    if expected in (0, 1):
        assert p == float((1 + expected * samples) / (1 + samples))
    assert abs(p - float(expected)) <= 4.5 * np.sqrt(float(expected * (1 - expected)) / samples) + 1 / samples


@pytest.mark.parametrize("step", ["1/10", "1/3", "1/7", "1/1000"])
@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 12])
def test_rounding_decides_no_resample(n: int, shift: int, step: str) -> None:
    """Counts of the same resamples in exact fractions, of coarse values and of nearly equal ones."""
    draw = np.random.default_rng(n)
    for _ in range(6):
        row = [str(shift + Fraction(int(k)) * Fraction(step)) for k in draw.integers(-5, 6, n)]
        values, columns, pairs = exact_values(row)
        drawn = rng.stream(3, "bootstrap test", 0).integers(0, n, (256, n), np.int32)
        count = 256 if not any(values) else sum(reached(values, users) for users in drawn.tolist())
        assert Bootstrap(256).p_values(columns + 0.7, pairs, seed=3)[0] == (1 + count) / 257, row


def test_differences_that_are_not_exact_in_binary() -> None:
    """Values in tenths whose differences are −.3, −.5 and −.1; of the 27 resamples 2 are as extreme."""
    for b in ([6, 6, 8], [7, 9, 6], [9, 8, 7]):
        a = (np.array(b) - np.array([3, 5, 1])) / 10
        p = Bootstrap(20_000).p_values(np.array([a, np.array(b) / 10]).T, np.array([[0, 1]]), seed=2)[0]
        assert abs(p - 2 / 27) < 4.5 * np.sqrt(2 / 27 * 25 / 27 / 20_000)


def test_groups_whose_differences_cancel_have_p_1() -> None:
    from heldout.significance.group_sums import GroupSums

    sums = np.array([np.tile([0.1, 0.2, -0.3], 40), np.zeros(120)])
    p = Bootstrap(500).p_of_groups(GroupSums(sums=sums, counts=np.full(120, 3.0)), np.array([[0, 1]]), seed=1)
    assert p.tolist() == [1.0]


def test_close_to_t_for_many_users_within_monte_carlo_error() -> None:
    from heldout.significance import PairedT

    columns, pairs = columns_of(np.random.default_rng(1).normal(0.03, 1, (12, 2000)))
    t = PairedT().p_values(columns, pairs, seed=0)
    found = Bootstrap(4000).p_values(columns, pairs, seed=2)
    assert np.all(np.abs(found - t) < 4.5 * np.sqrt(t * (1 - t) / 4000) + 0.01)


def test_never_0_and_1_for_equal_columns() -> None:
    base = np.random.default_rng(6).random(50)
    p = Bootstrap(999).p_values(np.array([base, base + 1.0, base]).T, np.array([(0, 1), (0, 2)]), seed=0)
    assert p.tolist() == [1 / 1000, 1.0]


def test_same_on_any_number_of_threads_and_pairs_share_resamples() -> None:
    columns = np.random.default_rng(3).random((120, 4))
    pairs = np.array([(0, 1), (2, 3), (1, 3)])
    with threads.using(1):
        one = Bootstrap(2000).p_values(columns, pairs, seed=9)
    with threads.using(2):
        two = Bootstrap(2000).p_values(columns, pairs, seed=9)
    assert one.tolist() == two.tolist()
    assert Bootstrap(2000).p_values(columns, pairs[1:2], seed=9)[0] == one[1]
    assert one.tolist() != Bootstrap(2000).p_values(columns, pairs, seed=10).tolist()


def test_weights_are_refused() -> None:
    with pytest.raises(NotApplicableError, match="bootstrap knows no weights"):
        Bootstrap().p_values(np.ones((3, 2)), PAIR, seed=0, weights=np.ones(3))
