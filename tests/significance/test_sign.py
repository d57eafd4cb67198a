"""The sign test, by hand and beside scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from heldout.significance import Sign, Wilcoxon

PAIR = np.array([[0, 1]])


def test_by_hand() -> None:
    # Three wins, no loss: 2 of 8 sign patterns are as extreme for either test.
    columns = np.array([[1.0, 0], [2, 0], [3, 0]])
    assert Wilcoxon().p_values(columns, PAIR, seed=0)[0] == 0.25
    assert Sign().p_values(columns, PAIR, seed=0)[0] == 0.25
    assert Sign("greater").p_values(columns, PAIR, seed=0)[0] == 0.125
    assert Sign("less").p_values(columns, PAIR, seed=0)[0] == 1.0


@pytest.mark.parametrize("ours,theirs", [("two_sided", "two-sided"), ("greater", "greater"), ("less", "less")])
def test_sign_agrees_with_scipy(ours: str, theirs: str) -> None:
    columns = np.random.default_rng(9).integers(0, 4, (300, 5)) + np.array([0, 0, 0, 1, 1])
    pairs = np.array([(a, b) for a in range(5) for b in range(5) if a != b])
    found = Sign(ours).p_values(columns.astype(float), pairs, seed=0)
    for p, (a, b) in zip(found, pairs, strict=True):
        wins, losses = int((columns[:, a] > columns[:, b]).sum()), int((columns[:, a] < columns[:, b]).sum())
        assert p == pytest.approx(stats.binomtest(wins, wins + losses, alternative=theirs).pvalue, rel=1e-11)


def test_equal_columns_give_1() -> None:
    columns = np.tile(np.random.default_rng(1).random((10, 1)), 2)
    assert Wilcoxon().p_values(columns, PAIR, seed=0).tolist() == Sign().p_values(columns, PAIR, seed=0).tolist() == [1.0]
