"""Tests of many users by groups: close to those of every user, the same whoever adds up the groups."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.heavy import heavy

from heldout.catalogue import make
from heldout.significance.batches import compare_batches
from heldout.significance.group_sums import GroupSums, groups_of_users, sums_by_group
from heldout.significance.value_batch import ScaledValues, ValueBatch
from heldout.tables.id_hash import GROUPS, groups_of, hash_ids

PAIRS = np.array([[0, 1]])


def _columns(users: int, gap: float, seed: int = 3) -> np.ndarray:
    """Two systems' reciprocal ranks of the same users, one better by `gap` on average."""
    draw = np.random.default_rng(seed)
    ease = draw.random(users)
    return np.stack([np.where(draw.random(users) < ease + shift, 1 / draw.integers(1, 11, users), 0) for shift in (gap, 0)])


def test_sums_by_hand() -> None:
    sums = sums_by_group(np.array([[1.0, 2.0, 4.0], [0.0, 1.0, 1.0]]), np.array([5, 7, 5]))
    assert sums.sums[:, [5, 7]].tolist() == [[5.0, 2.0], [1.0, 1.0]]
    assert sums.counts[[5, 6, 7]].tolist() == [2.0, 0.0, 1.0]
    # Weights 1, 1 and 2 have mean 4/3: brought to a mean of 1 they are 0.75, 0.75 and 1.5.
    weighed = sums_by_group(np.array([[1.0, 2.0, 4.0]]), np.array([5, 7, 5]), np.array([1.0, 1.0, 2.0]))
    assert weighed.sums[0, [5, 7]].tolist() == [6.75, 1.5]


def test_flips_of_groups_by_hand() -> None:
    # Three groups with differences 1, 2 and 3 and 65,533 without any: as three users, but for the flips that are drawn.
    sums = np.zeros((2, GROUPS))
    sums[0, [9, 80, 700]] = 1.0, 2.0, 3.0
    counts = np.full(GROUPS, 2.0)
    p = make("test", "permutation").p_of_groups(GroupSums(sums=sums, counts=counts), PAIRS, seed=1)
    assert p[0] == pytest.approx(0.25, abs=0.01)  # +++ and −−− of 8 patterns


def test_bootstrap_of_groups_of_one_user_is_that_of_users() -> None:
    # With one user a group, mean and error are those of users; resamples are other draws of 2,000.
    columns = _columns(4000, 0.03)
    sums, counts = np.zeros((2, GROUPS)), np.zeros(GROUPS)
    sums[:, :4000], counts[:4000] = columns, 1.0
    test = make("test", "bootstrap(samples=2000)")
    by_groups = test.p_of_groups(GroupSums(sums=sums, counts=counts), PAIRS, seed=1)[0]
    by_users = test.p_values(columns.T, PAIRS, seed=1)[0]
    error = np.sqrt(2 * by_users * (1 - by_users) / 2000)
    assert abs(by_groups - by_users) < 5 * error
    equal = GroupSums(sums=np.stack([sums[0], sums[0]]), counts=counts)
    assert test.p_of_groups(equal, PAIRS, seed=1).tolist() == [1.0]
    shifted = GroupSums(sums=np.stack([sums[0] + counts, sums[0]]), counts=counts)
    assert test.p_of_groups(shifted, PAIRS, seed=1)[0] == pytest.approx(1 / 2001)


def test_more_users_than_groups_are_compared_by_groups() -> None:
    users = GROUPS + 5000
    columns = _columns(users, 0.002)
    ids = pl.Series(np.arange(users))
    batch = ValueBatch(
        name="RR",
        values=ScaledValues(columns[:, None]),
        included=np.ones((2, users), dtype=np.bool_),
        aggregation=make("aggregation", "mean"),
        user_groups=groups_of(hash_ids(ids)),
    )
    test = make("test", "permutation(samples=65536)")
    (statistics,) = compare_batches([batch], [(0, 1)], tests=[test], seed=1)
    by_groups = test.p_of_groups(sums_by_group(columns, groups_of(hash_ids(ids))), PAIRS, seed=1)
    assert statistics.p[str(test)][0].tolist() == by_groups.tolist()
    everybody = np.ones(users, dtype=np.bool_)
    assert np.array_equal(groups_of_users(None, everybody), groups_of(hash_ids(ids)))


def test_groups_are_taken_by_how_many_users_were_measured_not_by_how_many_are_compared() -> None:
    """So that a streamed evaluation, which keeps sums of groups alone, gives the p of one in memory."""
    users = GROUPS + 5000
    columns, included = _columns(users, 0.002), np.ones((2, users), dtype=np.bool_)
    included[1, 3000:] = False
    batch = ValueBatch(
        name="RR",
        values=ScaledValues(columns[:, None]),
        included=included,
        aggregation=make("aggregation", "mean"),
        user_groups=groups_of(hash_ids(pl.Series(np.arange(users)))),
    )
    test = make("test", "permutation(samples=65536)")
    (statistics,) = compare_batches([batch], [(0, 1)], tests=[test], seed=1)
    both = groups_of(hash_ids(pl.Series(np.arange(3000))))
    by_groups = test.p_of_groups(sums_by_group(columns[:, :3000], both), PAIRS, seed=1)
    assert statistics.users.tolist() == [[3000]]
    assert statistics.p[str(test)][0].tolist() == by_groups.tolist()


@heavy
@pytest.mark.parametrize(("users", "gap"), [(100_000, 0.0015), (1_000_000, 0.0005)])
@pytest.mark.parametrize("name", ["permutation", "bootstrap"])
def test_groups_give_the_p_of_users(users: int, gap: float, name: str) -> None:
    """Figures in docs/scale.md: over 20 pairs, p by groups and p by users differ as two samples of flips or draws do."""
    test = make("test", name if name == "permutation" else "bootstrap(samples=1000)")
    systems = np.concatenate([_columns(users, gap * k / 5, seed=k) for k in range(5 if name == "bootstrap" else 20)])
    pairs = np.arange(len(systems)).reshape(-1, 2)
    by_groups = test.p_of_groups(
        sums_by_group(systems, groups_of_users(None, np.ones(users, dtype=np.bool_))), pairs, seed=1
    )
    by_users = test.p_values(systems.T, pairs, seed=1)
    # Grouping changes the pattern of signs and so p itself by about √(p(1−p) · 2/65,536) besides the samples' own error.
    error = np.sqrt(by_users * (1 - by_users) * (2 / GROUPS + 2 / test.samples))
    assert (np.abs(by_groups - by_users) < 5 * error + 1e-5).all()
