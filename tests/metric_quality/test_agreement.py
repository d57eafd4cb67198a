"""Which metrics say the same of the systems."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.metric_quality.agreement import agreement, alike, least_alike

MEANS = np.array(
    [
        [5.0, 4.0, 3.0, 2.0, 1.0],
        [1.0, 2.0, 3.0, 4.0, 5.0],
        [50.0, 40.0, 30.0, 20.0, 10.0],
        [5.0, 4.0, 3.0, 1.0, 2.0],
    ]
)
"""The first and the third order the systems alike, the fourth exchanges two neighbours, the second turns all round."""


def test_the_tree_groups_what_says_the_same() -> None:
    matrix = agreement("@10", ["a", "b", "c", "d"], MEANS, tree=True)
    # One exchange among 10 pairs: τ = 1 − 2/10.
    assert matrix.tau[0] == pytest.approx((1.0, -1.0, 1.0, 0.8))
    assert [set(group) for group in alike(matrix)] == [{"a", "c"}]
    assert [set(group) for group in alike(matrix, 0.8)] == [{"a", "c", "d"}]
    assert alike(agreement("@10", ["a", "b"], MEANS[:2], tree=True)) == []


def test_the_least_alike_are_named() -> None:
    assert least_alike(agreement("@10", ["a", "b", "c"], MEANS[:3], tree=True)) == ("a", "b", pytest.approx(-1.0))
    tied = np.ones((2, 5))
    assert least_alike(agreement("m", ["5", "10"], tied, tree=False)) is None
