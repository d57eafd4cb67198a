"""Moments of groups merged along a tree: those of all users, the same bytes however the tree is cut."""

from __future__ import annotations

import numpy as np
import pytest

from heldout.aggregations.merged_moments import group_leaves, merge_tree
from heldout.aggregations.moments import moments


def test_two_groups_by_hand() -> None:
    # Users 1, 3 | 5, and one who is not kept: means 2 and 5, spreads 2 and 0; together mean 3, spread 8.
    values, kept = np.array([1.0, 3.0, 5.0, 9.0]), np.array([True, True, True, False])
    leaves, sums = group_leaves(values, kept, None, np.arange(4), np.array([0, 2, 4]))
    assert leaves.tolist() == [[2, 1], [2, 1], [2, 1], [2, 5], [2, 0]]
    assert sums.tolist() == [4, 5]
    merged = merge_tree(leaves)
    assert (float(merged.users), float(merged.mean), float(merged.spread)) == (3, 3, 8)
    assert float(merged.moments().deviation) == 2.0  # √(8 / 2)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_tree_gives_the_moments_of_all_users(weighted: bool) -> None:
    draw = np.random.default_rng(2)
    values = 1000 + draw.random(5000) * 1e-3  # a large mean beside a small spread
    weights = draw.random(5000) if weighted else None
    starts = np.concatenate([[0], np.sort(draw.integers(0, 5001, 15)), [5000]])
    merged = merge_tree(group_leaves(values, np.ones(5000, dtype=np.bool_), weights, np.arange(5000), starts)[0]).moments()
    whole = moments(values, weights)
    assert float(merged.mean) == pytest.approx(float(whole.mean), rel=1e-14)
    assert float(merged.deviation) == pytest.approx(float(whole.deviation), rel=1e-9)
    assert merged.size == pytest.approx(whole.size, rel=1e-12)


def test_pieces_of_the_tree_give_the_same_bytes() -> None:
    draw = np.random.default_rng(3)
    values, starts = draw.random(900), np.concatenate([[0], np.sort(draw.integers(0, 901, 63)), [900]])
    leaves, _ = group_leaves(values, draw.random(900) < 0.9, None, draw.permutation(900), starts)
    whole = merge_tree(leaves[:, None]).stacked()
    for pieces in (2, 8, 64):
        nodes = [merge_tree(part[:, None]).stacked() for part in np.split(leaves, pieces, axis=1)]
        assert np.array_equal(merge_tree(np.stack(nodes, axis=-1)).stacked(), whole)


def test_without_values_kept_users_are_counted_as_zeros_are() -> None:
    draw = np.random.default_rng(4)
    kept, order, starts = draw.random(50) < 0.5, draw.permutation(50), np.array([0, 10, 10, 35, 50])
    counted, zeros = (group_leaves(values, kept, None, order, starts) for values in (None, np.zeros(50)))
    assert np.array_equal(counted[0], zeros[0]) and np.array_equal(counted[1], zeros[1])
    assert counted[0][0].sum() == kept.sum()


def test_nobody_has_no_mean() -> None:
    leaves, _ = group_leaves(np.ones(3), np.zeros(3, dtype=np.bool_), None, np.arange(3), np.array([0, 1, 3]))
    merged = merge_tree(leaves)
    assert float(merged.users) == 0
    assert np.isnan(merged.moments().mean)
    assert merged.moments().size == 0
