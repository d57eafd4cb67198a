"""Letters of systems that cannot be told apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from heldout.significance.groups import letters


def test_by_hand() -> None:
    assert letters([0, 1, 2], {(0, 1): 0.3, (1, 2): 0.2, (0, 2): 0.01}) == ["a", "ab", "b"]
    assert letters([2, 0, 1], {(0, 1): 0.01, (1, 2): 0.01, (0, 2): 0.01}) == ["b", "c", "a"]
    assert letters([0, 1], {(0, 1): 0.9}) == ["a", "a"]
    assert letters([1, 0], {(1, 0): 0.01}) == ["b", "a"]
    assert letters([0], {}) == ["a"]
    assert letters([], {}) == []


def test_a_pair_without_p_is_not_told_apart_and_the_level_is_strict() -> None:
    assert letters([0, 1, 2], {(0, 1): None, (0, 2): float("nan"), (1, 2): 0.05}) == ["a", "a", "a"]
    assert letters([0, 1], {(0, 1): 0.05}, alpha=0.051) == ["a", "b"]


@pytest.mark.parametrize("seed", range(20))
def test_two_systems_share_a_letter_exactly_when_not_told_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 10))
    adjusted = {pair: float(rng.choice([0.01, 0.5])) for pair in combinations(range(n), 2)}
    found = letters(rng.permutation(n).tolist(), adjusted)
    for (a, b), p in adjusted.items():
        assert bool(set(found[a]) & set(found[b])) == (p >= 0.05)
