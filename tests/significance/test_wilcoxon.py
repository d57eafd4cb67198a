"""Wilcoxon's signed-rank test, by hand and beside scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.heavy import heavy

from heldout.errors import NotApplicableError
from heldout.significance.sign import Sign
from heldout.significance.wilcoxon import Wilcoxon

PAIR = np.array([[0, 1]])


@pytest.mark.parametrize("n", [2, 3, 8, pytest.param(12, marks=heavy), pytest.param(13, marks=heavy), 14, 40, 50, 51, 400])
def test_wilcoxon_agrees_with_scipy(n: int) -> None:
    rng = np.random.default_rng(n)
    smooth = rng.normal(size=(n, 4)) + np.array([0, 0.1, 0.2, 0.3])
    tied = rng.integers(0, 5, (n, 4)).astype(float)
    pairs = np.array([(a, b) for a in range(4) for b in range(a)])
    half = np.where(rng.random((n, 4)) < 0.5, smooth, 0)
    for columns in (smooth, tied, half):
        found = Wilcoxon().p_values(columns, pairs, seed=0)
        both = [(columns[:, a], columns[:, b]) for a, b in pairs]
        expected = [stats.wilcoxon(x, y).pvalue if (x != y).any() else 1.0 for x, y in both]
        np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_patterns_of_ties_that_recur_among_many_pairs_agree_with_scipy() -> None:
    """The exact distribution of a pattern of ties is counted once, for whichever pairs have it."""
    columns = np.random.default_rng(3).integers(0, 4, (12, 18 * 4)) / 4
    pairs = np.array([(18 * m + a, 18 * m + b) for m in range(4) for a in range(18) for b in range(a)])
    found = Wilcoxon().p_values(columns, pairs, seed=0)
    some = np.random.default_rng(4).choice(len(pairs), 6, replace=False)
    expected = [stats.wilcoxon(columns[:, a], columns[:, b]).pvalue for a, b in pairs[some]]
    np.testing.assert_allclose(found[some], expected, rtol=1e-12)


def test_rounding_breaks_no_tie() -> None:
    whole = np.random.default_rng(2).integers(0, 11, (60, 2)).astype(float)
    tenths = whole / 10  # 0.7 − 0.4 and 0.3 − 0 differ in the 17th digit
    expected = stats.wilcoxon(*whole.T).pvalue
    assert Wilcoxon().p_values(tenths, PAIR, seed=0)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("test", [Wilcoxon(), Sign()], ids=str)
def test_bad_input(test: Wilcoxon | Sign) -> None:
    with pytest.raises(NotApplicableError, match="at least 2 users, found 0"):
        test.p_values(np.empty((0, 2)), PAIR, seed=0)
    with pytest.raises(NotApplicableError, match="knows no weights"):
        test.p_values(np.ones((3, 2)), PAIR, seed=0, weights=np.ones(3))
